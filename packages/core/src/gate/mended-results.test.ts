import { describe, expect, test } from 'vitest';
import { CallError } from '../tool/call-error.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateEvent } from './gate-event.ts';
import { createRedactor } from './redactor.ts';

/** The outcome of one call, and the event of its end. */
async function run(execute: () => unknown, config: Partial<GateConfig> = {}) {
  const ends: GateEvent[] = [];
  const tool = defineTool({ name: 't', description: '', input: { type: 'object' }, execute });
  const session = await createGate({
    tools: [tool],
    observe: (event) => {
      if (event.kind === 'call-end') ends.push(event);
    },
    ...config,
  }).open();
  const outcome = await session.execute({ id: 'c', name: 't', arguments: '' });
  await session.close();
  if (outcome.kind === 'suspended') throw new Error('suspended');
  return { outcome, text: outcome.output.text(), end: ends[0] };
}

const raise = (error: Error) => () => {
  throw error;
};

describe('half of a character', () => {
  test.each<[string, () => unknown, string, number]>([
    ['at the end of a text', () => 'sent, see \ud83d', 'sent, see \ufffd', 1],
    ['within a JSON value', async () => ({ id: 7, note: '\udc00' }), '{"id":7,"note":"\ufffd"}', 1],
    ['in a name', () => ({ 'a\ud83d': '\ud83d' }), '{"a\ufffd":"\ufffd"}', 2],
  ])(
    '%s costs no result: it is replaced, and counted on the outcome and in its event',
    async (_, execute, text, mended) => {
      const { outcome, text: shown, end } = await run(execute);
      expect(outcome).toMatchObject({ kind: 'completed', reason: 'completed', mended });
      expect(shown).toBe(text);
      expect(end).toMatchObject({ outcome: 'completed', mended });
    },
  );

  test.each<[string, () => never, string, string]>([
    ['ToolError', raise(new ToolError('no \ud83d')), 'tool_error', 'no \ufffd'],
    [
      'Failure',
      raise(new Failure({ kind: 'failed', output: 'no \ud83d', cause: 1 })),
      'tool_failure',
      'no \ufffd',
    ],
    ['CallError', raise(new CallError({ cause: 1, evidence: 'saw \ud83d' })), 'call_error', 'saw \ufffd'],
  ])('in the text of a %s does not hide that text', async (_, execute, reason, text) => {
    const { outcome, text: shown, end } = await run(execute);
    expect(outcome.reason).toBe(reason);
    expect(shown).toContain(text);
    expect(shown.isWellFormed()).toBe(true);
    expect(end).toMatchObject({ mended: 1 });
  });

  test('is counted where the result is redacted and cut as well', async () => {
    const { outcome, end } = await run(() => `sk-live-1234567890 \ud83d${'x'.repeat(300_000)}`, {
      redact: createRedactor({ secrets: ['sk-live-1234567890'] }),
    });
    expect(outcome).toMatchObject({ reason: 'completed_truncated', mended: 1 });
    expect(end).toMatchObject({ mended: 1, redactions: 1 });
  });

  test('that is not there is not mentioned', async () => {
    const { outcome, end } = await run(() => 'whole 😀 \ufffd');
    expect(outcome).not.toHaveProperty('mended');
    expect(end).toMatchObject({ mended: 0 });
  });
});
