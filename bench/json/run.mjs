// Strict reading and writing against the engine's own JSON, in one process.
import { canonicalJson, cloneJson, readJson, writeJson } from '../../packages/core/dist/index.js';
import { measure, median, ratio } from '../support/measure.mjs';
import { finish, printTable, withBar, withLimit } from '../support/table.mjs';
import { shapedTexts, sizedTexts } from './texts.mjs';

const BARS = { '100 B': 0.5, '2 KB': 0.65, '100 KB': 0.65, '2 MB': 0.65 };
/** How many times the cost of ordinary arguments of the same length, or of JSON.parse alone, any text may cost. */
const MOST = 4;

const NONE = Object.freeze({ maxBytes: 'none' });
const parse = (text) => JSON.parse(text);
const read = (text) => readJson(text, NONE);
/** The outcome, where the text may be refused. */
const attempt = (run, text) => {
  try {
    return run(text);
  } catch (error) {
    return error;
  }
};

const sizes = sizedTexts();
const reading = sizes.map(({ name, texts }) => {
  const times = measure({ parse, read }, texts);
  return [name, nanoseconds(times.parse), withBar(ratio(times, 'parse', 'read'), BARS[name])];
});
printTable('readJson, as a fraction of the speed of JSON.parse', ['mixed arguments', 'JSON.parse ns', 'readJson'], reading);

const stringify = (value) => JSON.stringify(value);
const writing = sizes.map(({ name, texts }) => {
  const values = texts.map(parse);
  const write = (value) => writeJson(value, NONE);
  const times = measure({ stringify, write, canonical: canonicalJson, clone: cloneJson }, values);
  return [
    name,
    nanoseconds(times.stringify),
    withBar(ratio(times, 'stringify', 'write'), 0.4),
    withBar(ratio(times, 'stringify', 'canonical')),
    withBar(ratio(times, 'stringify', 'clone')),
  ];
});
printTable(
  'Writing and copying, as a fraction of the speed of JSON.stringify',
  ['mixed arguments', 'JSON.stringify ns', 'writeJson', 'canonicalJson', 'cloneJson'],
  writing,
);

const [ordinary] = sizes.find(({ name }) => name === '100 KB').texts;
const shapes = shapedTexts().map(({ name, texts: [text] }) => {
  const candidates = { parse: () => attempt(parse, text), read: () => attempt(read, text), ordinary: () => read(ordinary) };
  const times = measure(candidates, [0], { rounds: 15 });
  const scale = bytesOf(text) / bytesOf(ordinary);
  const cost = times.read.map((time, round) => time / Math.max(times.ordinary[round] * scale, times.parse[round]));
  return [name, withBar(ratio(times, 'parse', 'read')), withLimit(median(cost), MOST)];
});
printTable(
  'Other texts: speed as a fraction of JSON.parse, and cost in units of ordinary arguments of that length (or of JSON.parse, if more)',
  ['about 100 KB', 'of JSON.parse', 'cost'],
  shapes,
);

finish();

function nanoseconds(times) {
  return String(Math.round(median(times)));
}

function bytesOf(text) {
  return Buffer.byteLength(text);
}
