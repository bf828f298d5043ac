// A worker process for the crash test of whole agent runs: works on what is in the journal until it is killed.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createGate, createScope, defineTool } from '@toolgate/core';
import { type Model, type ModelEvent, responseToEvents } from '@toolgate/model';
import { createSqliteEngine } from '../src/durable/sqlite/sqlite-engine.ts';
import { createDurableAgent } from '../src/durable-agent/create-durable-agent.ts';

const TURNS = 4;
// The worker stops itself at this effect, as a machine does that is put to sleep: after the effect, before its record.
const [database = '', effects = '', runs = '0', freezeAt = 'never'] = process.argv.slice(2);
let written = 0;
const file = openSync(effects, 'a');
let begun = 0;
/** Tells of the beginning of a step. */
const begin = (): void => {
  begun++;
  writeSync(1, '.');
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const input = { type: 'object', properties: { turn: { type: 'integer' } }, required: ['turn'] } as const;
const writer = (name: string, profile: 'write' | 'external') =>
  defineTool({
    name,
    description: 'Writes one line.',
    profile: { class: profile },
    input,
    execute: async (_, { idempotencyKey }) => {
      begin();
      await pause(1);
      // The effect: on the disk before anybody is told.
      writeSync(file, `${idempotencyKey}\n`);
      fsyncSync(file);
      written++;
      if (String(written) === freezeAt) {
        process.stdout.write('frozen\n');
        process.kill(process.pid, 'SIGSTOP');
      }
      await pause(2);
      return idempotencyKey;
    },
  });

/** Says what comes next from nothing but the history, as a model does. */
const model: Model = {
  id: 'crash',
  capabilities: new Set(['tools', 'streaming']),
  async *stream({ items }): AsyncGenerator<ModelEvent> {
    begin();
    await pause(3);
    const turn = items.filter(({ kind }) => kind === 'tool-call').length + 1;
    const call = {
      kind: 'tool-call' as const,
      callId: `call-${turn}`,
      name: turn === 2 ? 'send' : 'note',
      arguments: JSON.stringify({ turn }),
    };
    yield* responseToEvents({
      id: null,
      model: null,
      usage: null,
      finish: turn > TURNS ? 'stop' : 'tool-calls',
      items:
        turn > TURNS
          ? [{ kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Done.' }] }]
          : [call],
    });
  },
};

const agent = createDurableAgent(
  {
    model,
    gate: createGate({
      tools: [writer('note', 'write'), writer('send', 'external')],
      scope: createScope({ approve: () => 'defer', approvalThreshold: 'external' }),
    }),
    limits: { maxFruitlessTurns: 'none', maxRepeats: 'none' },
  },
  { engine: (parts) => createSqliteEngine({ ...parts, database, leaseMs: 100, pollMs: 5, concurrency: 8 }) },
);

const ids = Array.from({ length: Number(runs) }, (_, index) => `run-${index}`);
for (const id of ids) await agent.start(id, 'go');
// Somebody answers when nothing else is left to do, so that some always wait, however fast the machine is.
let before = -1;
const approveSome = async (): Promise<void> => {
  const idle = begun === before;
  before = begun;
  if (!idle) return;
  for (const { runId, approval } of await agent.pending({ limit: 8 })) {
    await agent.decide(runId, { approvalId: approval.id, decision: 'allow' });
  }
};
const approvals = setInterval(() => void approveSome(), 40);
process.stdout.write('ready\n');
await Promise.all(ids.map((id) => agent.finished(id)));
clearInterval(approvals);
await agent.close();
closeSync(file);
process.stdout.write('finished\n');
