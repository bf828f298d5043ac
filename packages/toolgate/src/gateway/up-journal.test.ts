import type { TrafficEntry } from '@toolgate/gateway';
import { expect, test } from 'vitest';
import type { CliIo, TextSink } from '../terminal/cli-io.ts';
import { createUpJournal } from './up-journal.ts';

const ENTRY: TrafficEntry = {
  id: 'r1',
  at: 0,
  surface: 'openai-chat',
  model: 'worker',
  candidate: 'spare/m',
  attempts: 2,
  failures: [{ candidate: 'main', error: 'upstream_misconfigured' }],
  streamed: false,
  status: 200,
  losses: [],
  durationMs: 12,
  requestBytes: 1,
  responseBytes: 1,
  calls: 0,
  generation: 1,
};

test('a request says who did not answer before who did', async () => {
  let written = '';
  const stdout: TextSink = {
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      written += text;
    },
  };
  const io: CliIo = {
    stdin: (async function* () {})(),
    stdout,
    stderr: stdout,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    now: () => 0,
  };
  const journal = createUpJournal({ json: false, debug: false }, io);
  journal.request(ENTRY);
  await journal.flush();
  expect(written).toBe(
    '00:00:00  200  openai-chat  worker  ✗ main (upstream_misconfigured)  → spare/m  12 ms\n',
  );
});
