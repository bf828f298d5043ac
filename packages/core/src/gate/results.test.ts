import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import type { JsonObject } from '../json/json-value.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { textOutput, toolOutput } from '../tool/make-output.ts';
import type { ResultBudget } from '../tool/profile.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { Outcome } from './outcome.ts';
import { createRedactor } from './redactor.ts';
import type { StoredResult } from './result-store.ts';

/** Runs one call of a tool that returns the value. */
async function resultOf(
  value: unknown,
  config: Partial<GateConfig> = {},
  resultBudget?: ResultBudget,
): Promise<Outcome> {
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    execute: () => value,
    ...(resultBudget === undefined ? {} : { resultBudget }),
  });
  const session = await createGate({ tools: [tool], ...config }).open();
  const outcome = await session.execute({ id: 'c1', name: 't', arguments: '' });
  await session.close();
  return outcome;
}

const output = (outcome: Outcome): ToolOutput => {
  if (outcome.kind === 'suspended') throw new Error('suspended');
  return outcome.output;
};

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe('a result', () => {
  test.each<[string, unknown, string]>([
    ['a string, unchanged', ' a\u0000"b ', ' a\u0000"b '],
    ['nothing', undefined, ''],
    ['null', null, 'null'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['an array', [1, 'a', null], '[1,"a",null]'],
    ['an output', textOutput('made'), 'made'],
  ])('may be %s', async (_name, value, text) => {
    const outcome = await resultOf(value);
    expect([outcome.kind, outcome.reason, output(outcome).text()]).toEqual(['completed', 'completed', text]);
  });

  test.each<[string, unknown]>([
    ['NaN', { ratio: Number.NaN }],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a bigint', { n: 10n }],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a cycle', cyclic],
    ['half a character in a name that would become another', { '\ud800': 1, '\ufffd': 2 }],
    [
      'a throwing getter',
      {
        get secret() {
          throw new Error('secret');
        },
      },
    ],
    [
      'a throwing toJSON',
      {
        toJSON() {
          throw new Error('secret');
        },
      },
    ],
    ['a map', new Map([[1, 2]])],
  ])('with %s fails by one fixed text, and the cause is kept for diagnosis', async (_name, value) => {
    const outcome = await resultOf(value);
    expect([outcome.kind, outcome.reason, output(outcome).text()]).toEqual([
      'failed',
      'output_invalid',
      'The tool failed.',
    ]);
    expect(outcome.cause).toMatchObject({ code: 'tool/output-invalid' });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test('with promises that nobody waited for fails, and no rejection of theirs ends the process', async () => {
    const fetchOne = async (id: number): Promise<number> => {
      await Promise.resolve();
      throw new Error(`no ${id}`);
    };
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object' },
      execute: () => ({ rows: [1, 2, 3].map(fetchOne) }),
    });
    const session = await createGate({ tools: [tool] }).open();
    const outcome = await session.execute({ id: 'c1', name: 't', arguments: '' });
    await session.close();
    // An unhandled rejection fails this run.
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome.cause).toMatchObject({ code: 'tool/output-invalid', pointer: '/rows/0' });
  });

  test('is checked against the output schema', async () => {
    const returning = (value: unknown) =>
      defineTool({
        name: 't',
        description: '',
        input: { type: 'object' },
        output: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const,
        execute: () => value as { n: number },
      });
    const reasons = [];
    for (const value of [{ n: 1 }, { n: 'one' }, {}, undefined, textOutput('no structure')]) {
      const session = await createGate({ tools: [returning(value)] }).open();
      reasons.push((await session.execute({ id: 'c', name: 't', arguments: '' })).reason);
      await session.close();
    }
    expect(reasons).toEqual([
      'completed',
      'output_invalid',
      'output_invalid',
      'output_invalid',
      'output_invalid',
    ]);
  });

  test('says which members defaults filled in', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object', properties: { limit: { type: 'integer', default: 10 } } },
      execute: (input) => input,
    });
    const session = await createGate({ tools: [tool] }).open();
    expect(await session.execute({ id: 'c', name: 't', arguments: '' })).toMatchObject({
      filled: ['/limit'],
    });
    expect(await session.execute({ id: 'c', name: 't', arguments: '{"limit":1}' })).not.toHaveProperty(
      'filled',
    );
    await session.close();
  });
});

describe('an outcome', () => {
  test('is frozen, names its call, and carries causes only for who asks', async () => {
    const outcome = await resultOf({
      get x() {
        throw new Error('secret');
      },
    });
    expect(Object.isFrozen(outcome)).toBe(true);
    expect(Object.keys(outcome).sort()).toEqual(['callId', 'kind', 'name', 'output', 'reason']);
    expect('cause' in { ...outcome }).toBe(false);
    expect(outcome).toMatchObject({ callId: 'c1', name: 't' });
  });
});

describe('a result over its budget', () => {
  const long = 'x'.repeat(300_000);

  test('is cut to 256 KiB by default, and says so', async () => {
    const outcome = await resultOf(long);
    expect(outcome).toMatchObject({
      kind: 'completed',
      reason: 'completed_truncated',
      truncated: { originalBytes: 300_000 },
    });
    expect(output(outcome).byteSize).toBeLessThanOrEqual(262_144);
    expect(output(outcome).text()).toMatch(/^x+\n\[\.\.\. \d+ of 300000 bytes left out \.\.\.\]\nx+$/);
    expect((await resultOf('x'.repeat(262_144))).reason).toBe('completed');
  });

  test('fails where the tool or the gate says so', async () => {
    const failed = await resultOf('xxxxxx', {}, { bytes: 5, overflow: 'fail' });
    expect([failed.kind, failed.reason, output(failed).text()]).toEqual([
      'failed',
      'output_too_large',
      "The tool's result was too large.",
    ]);
    const byGate = await resultOf('xxxxxx', { limits: { resultBudget: { bytes: 5, overflow: 'fail' } } });
    expect(byGate.reason).toBe('output_too_large');
    const byTool = await resultOf(
      'xxxxxx',
      { limits: { resultBudget: { bytes: 5, overflow: 'fail' } } },
      { bytes: 6, overflow: 'fail' },
    );
    expect(byTool.reason).toBe('completed');
  });

  test('has no budget where that is written', async () => {
    const outcome = await resultOf(long, {}, { bytes: 'none', overflow: 'truncate' });
    expect([outcome.reason, output(outcome).byteSize]).toEqual(['completed', 300_000]);
  });

  test('loses media before it damages them', async () => {
    const data = `iVBORw0KGgoA${'A'.repeat(988)}`;
    const value = toolOutput({
      parts: [
        { kind: 'image', mediaType: 'image/png', data },
        { kind: 'text', text: 'caption' },
        { kind: 'image', mediaType: 'image/png', data },
      ],
    });
    const outcome = await resultOf(value, { limits: { maxMediaBytes: 1_500 } });
    expect(output(outcome).parts).toEqual([
      { kind: 'image', mediaType: 'image/png', data },
      { kind: 'text', text: 'caption' },
      { kind: 'text', text: '[image image/png of 1000 bytes left out]' },
    ]);
  });

  test('is kept whole in the store, under a handle that the model is told', async () => {
    const kept: StoredResult[] = [];
    const resultStore = {
      put: (result: StoredResult) => {
        kept.push(result);
        return Promise.resolve('result-1');
      },
    };
    const outcome = await resultOf('x'.repeat(1_000), { resultStore }, { bytes: 400, overflow: 'store' });
    expect(outcome).toMatchObject({
      reason: 'completed_truncated',
      truncated: { originalBytes: 1_000, handle: 'result-1' },
    });
    expect(output(outcome).text()).toContain('[The whole result is kept under the handle result-1]');
    expect(output(outcome).byteSize).toBeLessThanOrEqual(400);
    expect(kept.map((result) => [result.callId, result.tool, result.output.text().length])).toEqual([
      ['c1', 't', 1_000],
    ]);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('full'))],
    ['gives no handle', () => undefined],
    ['gives a handle that a model could not repeat', () => 'two words'],
    ['gives a handle that is too long', () => 'x'.repeat(201)],
    [
      'gives a hostile thenable',
      () => ({
        get then() {
          throw new Error('x');
        },
      }),
    ],
  ])('is given without a handle when the store %s', async (_name, put) => {
    const outcome = await resultOf(
      'x'.repeat(1_000),
      { resultStore: { put: put as () => string } },
      { bytes: 400, overflow: 'store' },
    );
    expect(outcome).toMatchObject({ reason: 'completed_truncated', truncated: { originalBytes: 1_000 } });
    expect(outcome).not.toHaveProperty('truncated.handle');
  });

  test('waits for the store for a bounded time, and no cancellation takes it away', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object' },
      resultBudget: { bytes: 400, overflow: 'store' },
      execute: () => 'x'.repeat(1_000),
    });
    const gate = createGate({
      tools: [tool],
      clock,
      resultStore: { put: () => new Promise<string>(() => {}) },
    });
    const session = await gate.open({ context: 0, signal: controller.signal });
    const outcome = session.execute({ id: 'c1', name: 't', arguments: '' });
    await clock.advance(0);
    controller.abort();
    await clock.advance(60_000);
    expect((await outcome).reason).toBe('completed_truncated');
    await session.close();
  });
});

/** What the model is told about a call that is refused, and how many secrets were taken out of it. */
async function refusedText({
  decline,
  input,
  text,
  ...config
}: Pick<GateConfig, 'redact'> & {
  readonly input: JsonObject;
  readonly text: string;
  readonly decline?: string;
}): Promise<{ readonly text: string; readonly changes: number | undefined }> {
  const tool = defineTool({ name: 't', description: '', input, execute: () => 'ran' });
  const ends: number[] = [];
  const gate = createGate({
    tools: [tool],
    observe: (event) => {
      if (event.kind === 'call-end') ends.push(event.redactions);
    },
    ...config,
    ...(decline === undefined
      ? {}
      : {
          scope: createScope({
            approvalThreshold: 'unclassified',
            approve: () => ({ decision: 'decline', reason: decline }),
          }),
        }),
  });
  const session = await gate.open();
  const outcome = await session.execute({ id: 'c1', name: 't', arguments: text });
  await session.close();
  return { text: output(outcome).text(), changes: ends[0] };
}

describe('redaction', () => {
  const redact = createRedactor({ secrets: ['hunter2'] });

  test('applies to results before anybody gets them', async () => {
    const outcome = await resultOf(
      { error: 'HTTP 401: {"authorization":"Bearer sk-test-123"} hunter2' },
      { redact },
    );
    expect(output(outcome).text()).not.toMatch(/sk-test|hunter2/);
    expect(outcome.reason).toBe('completed');
  });

  test('that fails publishes nothing', async () => {
    const outcome = await resultOf('hunter2', {
      redact: () => {
        throw new Error('broken');
      },
    });
    expect([outcome.reason, output(outcome).text()]).toEqual(['output_invalid', 'The tool failed.']);
  });

  const closed = { type: 'object', properties: {}, additionalProperties: false } as const;
  const open = { type: 'object' } as const;

  test.each<readonly [string, Parameters<typeof refusedText>[0]]>([
    ['the schema says', { input: closed, text: '{"hunter2":1}' }],
    ['a reviewer says', { input: open, text: '{}', decline: 'because of hunter2' }],
  ])('applies to what %s', async (_who, call) => {
    const { changes, text } = await refusedText({ ...call, redact });
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('hunter2');
    expect(changes).toBe(1);
  });

  test.each<readonly [string, Parameters<typeof refusedText>[0]]>([
    ['What is wrong with the call cannot be shown.', { input: closed, text: '{"hunter2":1}' }],
    ['The call was declined. Do not repeat it.', { input: open, text: '{}', decline: 'because of hunter2' }],
  ])('that fails leaves %j', async (fixed, call) => {
    const broken = (): never => {
      throw new Error('broken');
    };
    expect((await refusedText({ ...call, redact: broken })).text).toBe(fixed);
  });

  test('comes before cutting, so that no half of a secret is left', async () => {
    const outcome = await resultOf(
      `${'x'.repeat(225)}hunter2${'y'.repeat(1_000)}`,
      { redact },
      { bytes: 400, overflow: 'truncate' },
    );
    expect(output(outcome).text()).not.toMatch(/hunt|nter2/);
  });
});
