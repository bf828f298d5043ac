// Mounting a server with 1,000 tools over a pipe: processor time of the client's process, and what it keeps.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median, ratio } from '../support/measure.mjs';
import { finish, printTable } from '../support/table.mjs';
import { aiSdk, officialClient, officialClientWithAjv, toolgate, toolgateLocked } from './clients.mjs';

const BASE = 'official client, list only';
const candidates = {
  [BASE]: officialClient,
  'official client, Ajv for each input schema': officialClientWithAjv,
  'AI SDK createMCPClient().tools()': aiSdk,
  'Toolgate mountMcp and a gate': toolgate,
  'Toolgate, with a lock': toolgateLocked,
};
const TOOLS = 1_000;
const ROUNDS = 5;
/** Mounts that are held at the same time when memory is measured. */
const HELD = 3;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const names = Object.keys(candidates);
const times = Object.fromEntries(names.map((name) => [name, []]));
const walls = Object.fromEntries(names.map((name) => [name, []]));

for (const name of names) for (let count = 0; count < 2; count++) await once(name);
for (let round = 0; round < ROUNDS; round++) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    collect();
    const { cpu, wall } = await once(name);
    times[name].push(cpu);
    walls[name].push(wall);
  }
}
const kept = {};
for (const name of names) {
  await settledHeap();
  kept[name] = await memory(candidates[name]);
}

printTable(
  `Mounting ${TOOLS} tools: processor time of the client in ms, wall time with the start of the server, and heap kept`,
  ['client', 'processor ms', 'x list only', 'wall ms', 'KB kept per tool'],
  names.map((name) => [
    name,
    median(times[name]).toFixed(1),
    (1 / ratio(times, BASE, name)).toFixed(2),
    median(walls[name]).toFixed(0),
    (kept[name] / TOOLS / 1024).toFixed(2),
  ]),
);
finish();

/** Refuses to time a client that does not hold every tool. */
async function once(name) {
  const start = process.cpuUsage();
  const since = performance.now();
  const mounted = await candidates[name]();
  const { user, system } = process.cpuUsage(start);
  const wall = performance.now() - since;
  if (mounted.count !== TOOLS) throw new Error(`${name} holds ${mounted.count} of ${TOOLS} tools`);
  await mounted.close();
  return { cpu: (user + system) / 1e3, wall };
}

async function memory(mount) {
  const held = [await mount()];
  const before = await settledHeap();
  for (let count = 0; count < HELD; count++) held.push(await mount());
  const after = await settledHeap();
  for (const each of held) await each.close();
  return (after - before) / HELD;
}

/** The heap when what is dead is gone; handles of child processes take turns of the event loop to go. */
async function settledHeap() {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  return process.memoryUsage().heapUsed;
}
