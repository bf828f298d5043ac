// The bars of the gateway, each with what was measured. Times of the clock are judged too, but only ratios and sizes
// decide about the exit code: a busy machine must not.
import { median } from '../support/measure.mjs';
import { printTable, withBar, withLimit } from '../support/table.mjs';

const MIB = 1024 * 1024;
/** The median over the rounds of a ratio taken inside the round. */
const over = (results, key, top, bottom) =>
  median(results[top].map((slice, round) => slice[key] / results[bottom][round][key]));
const mid = (results, key, name) => median(results[name].map((slice) => slice[key]));

/** Judges everything and prints the table. Requests are counted per processor time: what one saturated core does. */
export function judge({ json2, json57, single2, single57, paced, single, thousand, idleRss, gone, stuck }) {
  const rows = [];
  const row = (what, text, value, must, ambitious) => {
    const verdict = /\((bar|limit) /.test(text) ? 'FAIL' : 'pass';
    rows.push([what, value, must, ambitious, verdict]);
  };
  const least = (what, value, bar, ambitious) =>
    row(what, withBar(value, bar), value.toFixed(2), `>= ${bar}`, `>= ${ambitious}`);
  const most = (what, value, bar, ambitious) =>
    row(what, withLimit(value, bar), value.toFixed(2), `<= ${bar}`, `<= ${ambitious}`);
  const time = (what, value, bar, ambitious) =>
    rows.push([what, `${value.toFixed(2)} ms`, `<= ${bar}`, `<= ${ambitious}`, value <= bar ? 'pass' : 'FAIL (clock)']);

  for (const name of ['edited', 'control']) {
    least(`2 KB requests, ${name} / LL`, over(json2, 'cpu', 'LL', name), 0.55, 0.75);
    least(`2 KB requests, ${name} / PD`, over(json2, 'cpu', 'PD', name), 0.33, 0.45);
    least(`2 KB requests, ${name} / PK`, over(json2, 'cpu', 'PK', name), 7, 10);
    least(`57 KB requests, ${name} / LL`, over(json57, 'cpu', 'LL', name), 0.75, 1.2);
    least(`57 KB requests, ${name} / PK`, over(json57, 'cpu', 'PK', name), 3.5, 6);
  }
  least('2 KB requests, plain / PD', over(json2, 'cpu', 'PD', 'plain'), 0.5, 0.7);
  const added = (results) =>
    median(results.edited.map(({ p50 }, round) => p50 - results.direct[round].p50));
  time('2 KB, one connection, added p50', added(single2), 0.45, 0.32);
  time('57 KB, one connection, added p50', added(single57), 0.9, 0.55);
  for (const name of ['edited', 'plain', 'control', 'held']) {
    most(`processor per event, ${name} / LL`, over(paced, 'cpu', name, 'LL'), 1.4, 1);
    most(`processor per event, ${name} / PK`, over(paced, 'cpu', name, 'PK'), 0.6, 0.43);
  }
  most('first event of 100 streams, p50, edited / LL', over(paced, 'p50', 'edited', 'LL'), 2, 1.3);
  time('first event of one stream, over direct', mid(single, 'p50', 'edited') - mid(single, 'p50', 'direct'), 2, 2);
  least('events of 1,000 streams, edited / LL', over(thousand, 'rate', 'edited', 'LL'), 0.8, 0.95);
  least('events of 1,000 streams, edited / PK', over(thousand, 'rate', 'edited', 'PK'), 2.1, 2.5);
  most('MiB resident, idle', idleRss / MIB, 110, 90);
  most('MiB resident, 1,000 streams', Math.max(...thousand.edited.map(({ maxRss }) => maxRss)) / MIB, 220, 170);
  most('MiB more for a client that reads nothing', stuck.edited[0].rss / MIB, 10, 10);
  time('upstream ended after its client', gone.edited[0].ms, 250, 250);
  printTable('Bars', ['what', 'measured', 'must', 'ambitious', 'verdict'], rows);
  const failed = rows.filter(([, , , , verdict]) => verdict !== 'pass').length;
  process.stdout.write(`\n${rows.length - failed} of ${rows.length} bars held, ${failed} missed.\n`);
}
