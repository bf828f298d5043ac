// Checking and compiling schemas: the speed as a ratio to other implementations in the same process.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { schema as tjs } from 'tjs';
import { compileSchema } from '../../packages/core/dist/index.js';
import { measure, median, ratio, runFor } from '../support/measure.mjs';
import { finish, printTable, withBar } from '../support/table.mjs';
import { distinctSchemas, nested, recordedCalls, rows, small } from './workloads.mjs';

/** Each makes a check of a schema. The others generate code; ajv's second form looks at own members only, as ours. */
const makers = {
  toolgate: (schema) => compileSchema(schema, { trust: 'foreign' }).check,
  ajv: (schema) => new Ajv2020({ strict: false, validateFormats: false }).compile(schema),
  'ajv, own': (schema) => new Ajv2020({ strict: false, validateFormats: false, ownProperties: true }).compile(schema),
  tjs: (schema) => tjs(schema),
};
const BARS = { ajv: 0.8, tjs: 0.5 };
const peers = Object.keys(makers).filter((name) => name !== 'toolgate');

function expectMatch(matches, name) {
  if (!matches) throw new Error(`${name} refused a value that matches`);
}

/** A row of a table: our time, and what part of each peer's speed that is. */
function row(title, times, bars = {}) {
  const ratios = peers.map((peer) => withBar(ratio(times, peer, 'toolgate'), bars[peer]));
  return [title, median(times.toolgate).toFixed(0), ...ratios];
}

/** Every candidate runs for a second first: on a busy machine the optimiser starts late. */
function measureWarm(candidates, inputs) {
  for (const run of Object.values(candidates)) runFor(run, inputs, 1_000);
  return measure(candidates, inputs, { rounds: 41, sliceMs: 12 });
}

function workload({ schema, values }) {
  const candidates = Object.entries(makers).map(([name, make]) => {
    const check = make(schema);
    return [name, (value) => expectMatch(check(value), name)];
  });
  return measureWarm(Object.fromEntries(candidates), values);
}

printTable(
  'Checking values that match, as a fraction of the speed of generated code',
  ['one schema, hot', 'ns', ...peers],
  [
    row('3 arguments, 60 B', workload(small), BARS),
    row('11 nested arguments, 600 B', workload(nested), BARS),
    row('900 rows, 100 KB', workload(rows)),
  ],
);

const ROUNDS = 50;
const calls = recordedCalls(120);

function runAll(set, name) {
  for (const { check, value } of set) expectMatch(check(value), name);
}

/** Compiling and a few calls of each tool, nanoseconds per call. */
function startOver(name) {
  const start = process.cpuUsage();
  const set = calls.map(({ schema, value }) => ({ check: makers[name](schema), value }));
  for (let round = 0; round < ROUNDS; round += 1) runAll(set, name);
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1e3) / (ROUNDS * calls.length);
}

function runLater() {
  const candidates = Object.keys(makers).map((name) => {
    const set = calls.map(({ schema, value }) => ({ check: makers[name](schema), value }));
    return [name, () => runAll(set, name)];
  });
  const times = measureWarm(Object.fromEntries(candidates), [0]);
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.map((time) => time / calls.length)]));
}

if (calls.length === 0) {
  process.stdout.write('\nRecorded tools: not found, not measured.\n');
} else {
  const fresh = Object.fromEntries(Object.keys(makers).map((name) => [name, Array.from({ length: 3 }, () => startOver(name))]));
  printTable(
    `Many tools, called in turn: ${calls.length} recorded definitions and calls`,
    ['per call', 'ns', ...peers],
    [row(`compiled, then ${ROUNDS} calls each`, fresh, BARS), row('after a long time', runLater())],
  );
}

/** CPU milliseconds. */
function duration(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
}

const schemas = distinctSchemas(1_000);
const [value] = nested.values;
const instance = new Ajv2020({ strict: false, validateFormats: false });
const compiling = {
  'toolgate, own': () => schemas.forEach((schema) => compileSchema(schema)),
  'toolgate, foreign': () => schemas.forEach((schema) => compileSchema(schema, { trust: 'foreign' })),
  'toolgate, and one check each': () => schemas.forEach((schema) => compileSchema(schema).check(value)),
  tjs: () => schemas.forEach((schema) => tjs(schema)),
  ajv: () => schemas.forEach((schema) => instance.compile(schema)),
};
const durations = Object.fromEntries(Object.entries(compiling).map(([name, run]) => [name, duration(run)]));
printTable(
  'Compiling 1,000 distinct nested schemas, cold',
  ['', 'CPU ms', 'times ajv'],
  Object.entries(durations).map(([name, time]) => [
    name,
    time.toFixed(0),
    withBar(durations.ajv / time, name === 'toolgate, own' ? 15 : undefined),
  ]),
);

finish();
