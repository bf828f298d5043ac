import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createGate,
  defineTool,
  type GateConfig,
  type Outcome,
  type SettledOutcome,
  type Tool,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { builtBin } from '../../packages/toolgate/test-support/built-bin.ts';
import { BankError, type BankFault } from './bank.example.ts';
import { type Caller, closeWindow, findWindow, listWindows } from './define.example.ts';
import { sendMoney } from './failing.example.ts';
import { chartLoad, readLoad, gate as storingGate } from './results.example.ts';
import { measured } from './wrap.example.ts';

const caller: Caller = {
  user: 'ada',
  windows: {
    next: async (service, { user }) =>
      service === 'checkout' && user === 'ada'
        ? { startsAt: '2026-12-01T02:00Z', notes: 'bring tea' }
        : undefined,
  },
};

function settled(outcome: Outcome): SettledOutcome {
  if (outcome.kind === 'suspended') throw new Error('The call waits.');
  return outcome;
}

/** One call through a gate of its own. */
async function call<Context>(
  tool: Tool<Context>,
  args: unknown,
  context: Context,
  config: Partial<GateConfig<Context>> = {},
): Promise<SettledOutcome> {
  await using session = await createGate<Context>({ tools: [tool], ...config }).open({ context });
  const { name } = tool.definition();
  return settled(await session.execute({ id: 'c1', name, arguments: JSON.stringify(args) }));
}

const said = (outcome: SettledOutcome) => [outcome.kind, outcome.reason, outcome.output.text()];

describe('a tool whose input is of Zod', () => {
  test('advertises what it enforces, and fills in what the model left out', async () => {
    expect(findWindow.definition().inputSchema).toMatchObject({
      required: ['service'],
      additionalProperties: false,
      properties: { service: { description: 'The name of the service, as the user wrote it.' } },
    });
    const outcome = await call(findWindow, { service: 'checkout' }, caller);
    expect(said(outcome)).toEqual(['completed', 'completed', '{"startsAt":"2026-12-01T02:00Z"}']);
    expect(outcome).toMatchObject({ filled: ['/form'] });
    const full = await call(findWindow, { service: 'checkout', form: 'full' }, caller);
    expect(full.output.text()).toContain('bring tea');
  });

  test('refuses a member that the schema does not name, and tells the model so', async () => {
    const outcome = await call(findWindow, { service: 'checkout', user: 'root' }, caller);
    expect(outcome).toMatchObject({ kind: 'invalid', reason: 'arguments_rejected' });
    expect(outcome.output.text()).toContain('user');
  });

  test('decides by the trusted context, not by the arguments', async () => {
    const outcome = await call(findWindow, { service: 'checkout' }, { ...caller, user: 'bob' });
    expect(said(outcome)).toEqual(['failed', 'tool_error', 'There is no window that this caller may see.']);
  });

  test('has rules between members, whose messages the model reads', async () => {
    const outcome = await call(listWindows, { from: '2026-12-02', to: '2026-12-01' }, undefined);
    expect(outcome).toMatchObject({ kind: 'invalid', reason: 'arguments_rejected' });
    expect(outcome.output.text()).toContain('to is before from.');
    expect((await call(listWindows, { from: '2026-12-01', to: '2026-12-01' }, undefined)).kind).toBe(
      'completed',
    );
  });
});

test('a tool whose input is JSON Schema gets typed arguments with defaults', async () => {
  const outcome = await call(closeWindow, { id: 'w12' }, undefined);
  expect(said(outcome)).toEqual(['completed', 'completed', 'Closed w12: done']);
  expect((await call(closeWindow, { id: 'checkout' }, undefined)).reason).toBe('arguments_rejected');
});

describe('a result', () => {
  test('has parts of their own kinds', async () => {
    const { output } = await call(chartLoad, { service: 'checkout' }, undefined);
    expect(output.parts.map(({ kind }) => kind)).toEqual(['text', 'image', 'file']);
    expect(output.text()).not.toContain(Buffer.from('a picture').toString('base64').slice(0, 8));
  });

  test('with a schema is one value for the model and for machines', async () => {
    const { output } = await call(readLoad, { service: 'checkout' }, undefined);
    expect(output.structured).toEqual({ load: 0.31, unit: 'cores' });
    expect(output.text()).toBe('{"load":0.31,"unit":"cores"}');
  });

  test('that breaks its schema does not reach the model', async () => {
    const outcome = await call(readLoad, { service: 'broken' }, undefined);
    expect(said(outcome)).toEqual(['failed', 'output_invalid', 'The tool failed.']);
  });

  test('beyond its budget is kept, for another tool and for nobody else', async () => {
    const open = (user: string) => storingGate.open({ context: { user }, principal: user });
    await using ada = await open('ada');
    await using bob = await open('bob');
    const log = settled(
      await ada.execute({ id: 'c1', name: 'read_log', arguments: '{"service":"checkout"}' }),
    );
    expect(log).toMatchObject({ reason: 'completed_truncated', truncated: { handle: expect.any(String) } });
    expect(log.output.byteSize).toBeLessThanOrEqual(2_000);
    const handle = log.kind === 'completed' ? (log.truncated?.handle ?? '') : '';
    expect(log.output.text()).toContain(handle);
    const count = { id: 'c2', name: 'count_lines', arguments: JSON.stringify({ handle, word: 'error' }) };
    expect(said(settled(await ada.execute(count)))).toEqual(['completed', 'completed', '250']);
    expect(said(settled(await bob.execute(count)))).toEqual([
      'failed',
      'tool_error',
      'There is no such result.',
    ]);
  });
});

describe('a tool that fails', () => {
  const failing = (fault: BankFault) => ({ bank: { send: () => Promise.reject(new BankError(fault)) } });

  test.each([
    ['unknown-account', 'failed', 'tool_error', 'There is no account with this number. Nothing was sent.'],
    ['limit', 'rejected', 'tool_rejected', 'The limit of this day is used up.'],
    ['reserved', 'failed', 'tool_failure', 'The money is reserved and was not sent.'],
    ['bug', 'failed', 'handler_error', 'The tool failed.'],
  ] as const)('for %s is %s', async (fault, kind, reason, text) => {
    const outcome = await call(sendMoney, { to: 'DE02', cents: 1 }, failing(fault));
    expect(said(outcome)).toEqual([kind, reason, text]);
  });

  test('without knowing how the call ended says what it saw, and never that nothing happened', async () => {
    const listTransfers = defineTool({
      name: 'list_transfers',
      description: 'Lists the transfers of the user.',
      input: { type: 'object' },
      execute: () => [],
    });
    const outcome = await call(sendMoney, { to: 'DE02', cents: 1 }, failing('connection-lost'), {
      tools: [sendMoney, listTransfers],
    });
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'interrupted']);
    expect(outcome.output.text()).toContain('The bank took the order.');
    expect(outcome.output.text()).toContain('Check with list_transfers before you repeat it.');
    expect(JSON.stringify(outcome)).not.toContain('bank.internal');
  });

  test('for good ends the run, and the model reads nothing', async () => {
    await expect(call(sendMoney, { to: 'DE02', cents: 1 }, failing('key-revoked'))).rejects.toMatchObject({
      code: 'gate/permanent',
      cause: { fault: 'key-revoked' },
    });
  });

  test('is given a key that stays the same for the same call', async () => {
    const keys: unknown[] = [];
    const bank = {
      send: async ({ key }: { readonly key: string | undefined }) => {
        keys.push(key);
        return { receipt: 'r1' };
      },
    };
    for (const cents of [1, 1, 2]) {
      const gate = createGate({ tools: [sendMoney] });
      await using session = await gate.open({ context: { bank }, sessionId: 'run-1' });
      await session.execute({ id: 'c1', name: 'send_money', arguments: `{"to":"DE02","cents":${cents}}` });
    }
    expect(keys[0]).toMatch(/^sha256:/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

test('a wrapper is told of each execution, and what the tool declares is found through it', async () => {
  const recorded: [string, number][] = [];
  const tool = measured(findWindow, (...entry) => recorded.push(entry));
  const outcome = await call(tool, { service: 'nowhere' }, caller);
  expect(outcome.reason).toBe('tool_error');
  expect(recorded).toEqual([['find_window', expect.any(Number)]]);
  const events: string[] = [];
  await call(tool, { service: 'checkout' }, caller, {
    observe: (event) => {
      if (event.kind === 'call-dispatch') events.push(event.class);
    },
  });
  expect(events).toEqual(['read']);
});

test('inspect says of a definition what the guide shows', () => {
  const file = 'examples/tools/noted.mjs';
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const args = [builtBin(), 'inspect', file, '--details'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root });
  const shown = /^\$ npx toolgate inspect (\S+) --details\n([\s\S]*?)^```$/mu.exec(
    readFileSync(`${root}docs/tools.md`, 'utf8'),
  );
  expect(shown?.slice(1)).toEqual([file, stdout]);
});
