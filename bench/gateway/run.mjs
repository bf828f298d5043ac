// The gateway beside its limits and a peer: raw-dispatch (PD, nothing parsed), raw-lean-rewrite (LL, the same work by hand)
// and Portkey (PK). Every server is a process of its own; the gateway under test has the first processor to itself.
import { median } from '../support/measure.mjs';
import { finish, printTable } from '../support/table.mjs';
import { judge } from './bars.mjs';
import { pinClient, startFleet } from './fleet.mjs';
import { watchLoad } from './load.mjs';
import { gone, interleave, jsonSlice, streamSlice, stuck, verify } from './phases.mjs';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 3 : 5;
const MS = quick ? 500 : 1_000;
/** V8 drops code that rests while others have their turn, which costs the larger program more: small requests get long turns. */
const LONG_MS = quick ? 1_000 : 5_000;
/** V8 looks every eight seconds whether little happens, and gives the memory of the start back after the second or third time. */
const REST_MS = 40_000;
const OURS = ['plain', 'edited', 'control', 'held'];
const LIMITS = ['PD', 'LL', 'PK'];
const pinned = pinClient();
const started = performance.now();
let fleet = await startFleet();
const startRss = (await fleet.paths.edited.server.facts()).rss;
await new Promise((resolve) => setTimeout(resolve, REST_MS));
const idleRss = (await fleet.paths.edited.server.facts()).rss;
const results = {};
try {
  for (const [name, path] of Object.entries(fleet.paths)) await verify(name, path);
  const load = await watchLoad(ownMilliseconds);
  const json = (settings) => (name) => jsonSlice(fleet.paths[name], settings);
  const streams = (settings) => (name) => streamSlice(fleet.paths[name], settings);
  const phase = async (what, ...rest) => {
    process.stderr.write(`${((performance.now() - started) / 1_000).toFixed(0)} s: ${what}\n`);
    return interleave(...rest);
  };
  const names = ['direct', ...LIMITS, ...OURS.slice(0, 3)];
  // Code that was not run often enough is compiled while it is measured: warm-up goes by requests, not by time.
  for (const [size, most] of [['2 KB', 12_000], ['57 KB', 3_000]]) {
    await phase(`warm-up, ${size}`, names, 1, json({ size, connections: 32, ms: 20_000, most }));
  }

  results.json2 = await phase('2 KB, 32 connections', names, ROUNDS, json({ size: '2 KB', connections: 32, ms: LONG_MS }));
  results.json57 = await phase('57 KB, 32 connections', names, ROUNDS, json({ size: '57 KB', connections: 32, ms: MS }));
  results.single2 = await phase('2 KB, one connection', names, ROUNDS, json({ size: '2 KB', connections: 1, ms: MS / 2 }));
  results.single57 = await phase('57 KB, one connection', names, ROUNDS, json({ size: '57 KB', connections: 1, ms: MS / 2 }));
  printJson('2 KB', results.json2, results.single2);
  printJson('57 KB', results.json57, results.single57);
  await phase('warm-up, streams', [...LIMITS, ...OURS], 4, streams({ streams: 100, pace: 0 }));
  results.paced = await phase('100 streams', [...LIMITS, ...OURS], ROUNDS, streams({ streams: 100, pace: 10 }));
  results.single = await phase('one stream', ['direct', 'PD', 'LL', 'PK', 'edited'], 5, streams({ streams: 1, pace: 0 }));
  results.gone = await phase('a client that goes', ['edited', 'PK'], 1, (name) => gone(fleet.paths[name], fleet.provider));
  results.stuck = await phase('a client that reads nothing', ['edited', 'PK'], 1, (name) => stuck(fleet.paths[name], fleet.provider));
  process.stdout.write(`\n${await load()}${pinned ? '' : '; nothing is pinned'}\n`);

  // Memory is measured in processes that did nothing else.
  await fleet.close();
  fleet = await startFleet();
  const many = ['LL', 'edited', 'PK'];
  await interleave(many, 4, streams({ streams: 100, pace: 0 }));
  // The first two rounds of all three take up to twice as long as the others.
  if (!quick) await phase('warm-up, 1,000 streams', many, 2, streams({ streams: 1_000, pace: 10 }));
  results.thousand = await phase('1,000 streams', many, quick ? 1 : ROUNDS, streams({ streams: 1_000, pace: 10 }));
} finally {
  await fleet.close();
}

printTable(
  'Streams: 100 with one event every 10 ms, and 1,000 of them; processor ms per 1,000 events',
  ['path', 'processor ms', 'first event p50', 'p99', '1,000: events/s', 'first p99', 'peak MiB'],
  Object.entries(results.paced).map(([name, slices]) => {
    const many = results.thousand[name];
    const of = (from, key, digits) => (from === undefined ? '' : median(from.map((slice) => slice[key])).toFixed(digits));
    const peak = many === undefined ? '' : (Math.max(...many.map(({ maxRss }) => maxRss)) / 1024 ** 2).toFixed(0);
    const cpu = median(slices.map((slice) => slice.cpu)).toFixed(1);
    return [name, cpu, of(slices, 'p50', 0), of(slices, 'p99', 0), of(many, 'rate', 0), of(many, 'p99', 0), peak];
  }),
);
const { edited, PK } = results.stuck;
process.stdout.write(
  `\nA client that reads nothing: ${mib(edited[0].rss)} MiB more, ${mib(edited[0].taken)} MiB taken (PK ${mib(PK[0].rss)}, ${mib(PK[0].taken)}).` +
    ` After a client went: upstream ended in ${results.gone.edited[0].ms} ms (PK ${results.gone.PK[0].ms}).\n`,
);
process.stdout.write(`Resident right after the start: ${mib(startRss)} MiB, forty seconds later: ${mib(idleRss)} MiB.\n`);
judge({ ...results, idleRss });
process.stdout.write(`Took ${((performance.now() - started) / 60_000).toFixed(1)} minutes.\n`);
finish();

function printJson(size, busy, single) {
  const of = (slices, key, digits) => median(slices.map((slice) => slice[key])).toFixed(digits);
  const added = (name, key) =>
    median(single[name].map((slice, round) => slice[key] - single.direct[round][key])).toFixed(2);
  const share = (name, base) => median(busy[base].map(({ cpu }, round) => cpu / busy[name][round].cpu)).toFixed(2);
  printTable(
    `${size} requests: 32 connections, and what one connection waits longer than without a gateway (ms)`,
    ['path', 'requests/s', 'processor us', 'x PD', 'x LL', 'x PK', 'p99 ms', 'added p50', 'added p99'],
    Object.keys(busy).map((name) => {
      const ratios = name === 'direct' ? ['', '', '', ''] : [of(busy[name], 'cpu', 0), ...['PD', 'LL', 'PK'].map((base) => share(name, base))];
      return [name, of(busy[name], 'rate', 0), ...ratios, of(busy[name], 'p99', 1), added(name, 'p50'), added(name, 'p99')];
    }),
  );
}

function mib(bytes) {
  return (bytes / 1024 ** 2).toFixed(1);
}

async function ownMilliseconds() {
  const { user, system } = process.cpuUsage();
  const servers = new Set(Object.values(fleet.paths).map(({ server }) => server));
  const facts = await Promise.all([...servers].map((server) => server.facts()));
  return facts.reduce((sum, { cpu }) => sum + cpu, user + system) / 1_000;
}
