import { GatewayError, type TrafficEntry } from '@toolgate/gateway';
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

/** A journal, and all that it wrote. */
function writtenJournal() {
  let written = '';
  const stdout: TextSink = {
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      written += text;
    },
  };
  return {
    journal: createUpJournal({ json: false, debug: false }, ioWith(stdout)),
    written: () => written,
  };
}

test('a request says who did not answer before who did', async () => {
  const { journal, written } = writtenJournal();
  journal.request(ENTRY);
  await journal.flush();
  expect(written()).toBe(
    '00:00:00  200  openai-chat  worker  ✗ main (upstream_misconfigured)  → spare/m  12 ms\n',
  );
});

test.each([
  [
    true,
    (text: string) =>
      expect(JSON.parse(text)).toEqual({
        time: '1970-01-01T00:00:00.000Z',
        level: 'warn',
        event: 'lines-left-out',
        count: 500,
      }),
  ],
  [false, (text: string) => expect(text).toBe('toolgate: 500 lines left out')],
])(
  'lines for which a slow reader leaves no place are counted, as JSON where all is (%s)',
  async (json, check) => {
    const written: string[] = [];
    let goOn: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const stdout: TextSink = {
      isTerminal: false,
      columns: undefined,
      write: async (text) => {
        written.push(text);
        await slow;
      },
    };
    const journal = createUpJournal({ json, debug: false }, ioWith(stdout));
    for (let count = 0; count < 1_500; count += 1) journal.event('e', {}, 'a line');
    goOn();
    await journal.flush();
    expect(written).toHaveLength(1_001);
    check(written.at(-1)?.trimEnd() ?? '');
  },
);

test('a reload is told to a person whoever asked for it, with why it was refused', async () => {
  const { journal, written } = writtenJournal();
  const log = (event: string, fields: object): void =>
    journal.log(`${JSON.stringify({ time: '', level: 'info', event, ...fields })}\n`);
  log('config-load', { generation: 1 });
  log('config-load', { generation: 2 });
  log('config-refuse', { generation: 2, message: 'There is no such \u001bprovider.' });
  await journal.flush();
  expect(written()).toBe(
    '00:00:00  configuration 2 serves\n00:00:00  the last good configuration goes on: There is no such \\u{1b}provider.\n',
  );
});

test.each([true, false])('a fault of storage is told, as JSON where all is (%s)', async (json) => {
  let written = '';
  const stdout: TextSink = {
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      written += text;
    },
  };
  const journal = createUpJournal({ json, debug: false }, ioWith(stdout));
  journal.storageFault(new GatewayError('gateway/storage-unavailable', 'Storage does not answer.'));
  journal.storageFault(Object.assign(new Error('planted'), { code: 'ECONNRESET' }));
  await journal.flush();
  const lines = written.trimEnd().split('\n');
  const time = '1970-01-01T00:00:00.000Z';
  const fault = { time, level: 'error', event: 'storage-fault' };
  const told = json
    ? [
        { ...fault, code: 'gateway/storage-unavailable', message: 'Storage does not answer.' },
        { ...fault, code: 'ECONNRESET' },
      ]
    : ['toolgate: defect (gateway/storage-unavailable)', 'toolgate: defect (ECONNRESET)'];
  expect(json ? lines.map((line) => JSON.parse(line) as unknown) : lines).toEqual(told);
});

function ioWith(stdout: TextSink): CliIo {
  return {
    stdin: (async function* () {})(),
    stdout,
    stderr: stdout,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    now: () => 0,
  };
}
