// A worker process for the crash test: works on whatever runs are in the journal until it is killed.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createSqliteEngine } from '../src/durable/sqlite/sqlite-engine.ts';
import { CRASH_TURNS, crashLoop } from './crash-loop.ts';

const [database = '', effects = '', runs = '0', concurrency = '8'] = process.argv.slice(2);
const file = openSync(effects, 'a');
let begun = 0;
/** Tells of the beginning of a step. */
const begin = (): void => {
  begun++;
  writeSync(1, '.');
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const host = createSqliteEngine({
  database,
  loops: [crashLoop],
  leaseMs: 100,
  pollMs: 5,
  concurrency: Number(concurrency),
  handlers: {
    model: async () => {
      begin();
      await pause(3);
      return 'said';
    },
    tool: async (_input, { key }) => {
      begin();
      await pause(1);
      // The effect: on the disk before anybody is told.
      writeSync(file, `${key}\n`);
      fsyncSync(file);
      await pause(2);
      return key;
    },
  },
});

const ids = Array.from({ length: Number(runs) }, (_, index) => `run-${index}`);
for (const id of ids) await host.start(id, CRASH_TURNS);
// Somebody answers when nothing else is left to do, so that some always wait, however fast the machine is.
let before = -1;
const answerSome = async (): Promise<void> => {
  const idle = begun === before;
  before = begun;
  if (!idle) return;
  for (const { runId, key } of await host.pending({ limit: 8 })) await host.resolve(runId, key, 'yes');
};
const answers = setInterval(() => void answerSome(), 40);
process.stdout.write('ready\n');
await Promise.all(ids.map((id) => host.finished(id)));
clearInterval(answers);
await host.close();
closeSync(file);
process.stdout.write('finished\n');
