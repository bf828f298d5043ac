import { describe, expect, test } from 'vitest';
import type { ControlMeta } from '../provider/control-tool-provider.ts';
import { validateProvider } from '../provider/validate-provider.ts';
import { type CompletionToolOptions, completionTool } from './completion-tool.ts';

const { signal } = new AbortController();
const call = { toolCallId: 'c', toolName: 'attempt_completion' };
const handle = (argsJson: string, options?: CompletionToolOptions, meta: ControlMeta = { attemptSeq: 0 }) =>
  Promise.resolve(validateProvider(completionTool(options)).handle({ ...call, argsJson }, meta, { signal }));

test('the completion tool is a valid provider, the same bytes each time', () => {
  const [first, second] = [completionTool(), completionTool()].map((tool) => validateProvider(tool));
  expect(JSON.stringify(first?.spec)).toBe(JSON.stringify(second?.spec));
  expect(first?.spec.tool.name).toBe('attempt_completion');
  expect(first?.spec.tool.parameters).toMatchObject({ required: ['result'], additionalProperties: false });
  expect(first?.spec.instruction.role).toBe('system');
  expect(first?.id).toBe('toolgate.completion');
});

describe('arguments', () => {
  test.each([
    ['{"result":"done"}', 'done'],
    [' { "result" : "a\\nb" } ', 'a\nb'],
    [`{"result":"${'x'.repeat(65_000)}"}`, 'x'.repeat(65_000)],
  ])('with one text are complete: %.30s', async (argsJson, resultText) => {
    expect(await handle(argsJson)).toEqual({
      kind: 'complete',
      reasonCode: 'completion_complete',
      resultText,
    });
  });

  test.each([
    ['no member', '{}'],
    ['another member', '{"answer":"x"}'],
    ['one member more', '{"result":"x","verify":"app --selftest"}'],
    ['a duplicate', '{"result":"x","result":"y"}'],
    ['a number', '{"result":1}'],
    ['a list', '{"result":["x"]}'],
    ['null', '{"result":null}'],
    ['nothing but white space', '{"result":" \\n"}'],
    ['U+0000', '{"result":"a\\u0000"}'],
    ['half of a pair', '{"result":"\\ud800"}'],
    ['something after it', '{"result":"x"}{}'],
    ['a list around it', '[{"result":"x"}]'],
    ['a scalar', '"x"'],
    ['no JSON', 'done'],
    ['nothing', ''],
  ])('with %s are invalid', async (_, argsJson) => {
    expect(await handle(argsJson)).toEqual({ kind: 'invalid', reasonCode: 'completion_invalid' });
  });
});

test('an unusable call, provenance or signal is an error', async () => {
  const tool = completionTool();
  const good = { ...call, argsJson: '{"result":"x"}' };
  const meta = { attemptSeq: 0 };
  const tries = [
    () => tool.handle({ ...good, toolCallId: '' }, meta, { signal }),
    () => tool.handle({ ...good, argsJson: 'x'.repeat(65_537) }, meta, { signal }),
    () => tool.handle(good, { attemptSeq: -1 }, { signal }),
    () => tool.handle(good, meta, { signal: AbortSignal.abort() }),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(Error);
});

describe('a check', () => {
  test('is asked about the result with the provenance, and accepts', async () => {
    const seen: unknown[] = [];
    const check = (result: string, meta: ControlMeta): boolean => {
      seen.push(result, meta.ordinaryCalls);
      return true;
    };
    expect(await handle('{"result":"x"}', { check }, { attemptSeq: 0, ordinaryCalls: 3 })).toMatchObject({
      kind: 'complete',
    });
    expect(seen).toEqual(['x', 3]);
  });

  test('refuses, with or without a reason of its own', async () => {
    expect(await handle('{"result":"x"}', { check: () => false })).toEqual({
      kind: 'invalid',
      reasonCode: 'completion_refused',
    });
    expect(await handle('{"result":"x"}', { check: () => Promise.resolve('verification_failed') })).toEqual({
      kind: 'invalid',
      reasonCode: 'verification_failed',
    });
  });

  test('is not asked about what is invalid anyway', async () => {
    let asked = 0;
    const check = (): boolean => {
      asked += 1;
      return true;
    };
    await handle('{}', { check });
    expect(asked).toBe(0);
  });
});
