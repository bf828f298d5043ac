import type { ModelCall } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { good, runOn } from '../test-support/counting-run.ts';
import { call, callsEnd, goodbye, type RawTurn, start, stop, text } from '../test-support/raw-model.ts';

describe('what a model proposes is never run when it is not one finished, valid call', () => {
  test.each([
    ['doubly encoded arguments', call(0, 'add', '"{\\"a\\":1,\\"b\\":2}"'), 'arguments_not_object'],
    ['a member twice', call(0, 'add', '{"a":1,"a":1000,"b":2}'), 'arguments_malformed'],
    ['arguments without their first bytes', call(0, 'add', 'a": 1, "b": 2}'), 'arguments_malformed'],
    ['an unescaped quote', call(0, 'add', '{"a":1,"b":2,"c":"x = " foo "}'), 'arguments_malformed'],
    ['half a character', call(0, 'add', '{"a":1,"b":2,"c":"\ud83d"}'), 'arguments_malformed'],
    ['an array', call(0, 'add', '[1,2]'), 'arguments_not_object'],
    ['text for a number', call(0, 'add', '{"a":"1","b":2}'), 'arguments_rejected'],
    ['an unknown tool', call(0, 'drop_table', '{}'), 'tool_unavailable'],
    ['a name that is no text', call(0, { evil: true }, '{}'), 'tool_unavailable'],
    ['a blank name', call(0, '', '{}'), 'tool_unavailable'],
    ['a name of an object member', call(0, '__proto__', '{}'), 'tool_unavailable'],
    ['10 MB of arguments', call(0, 'add', `{"a":"${'x'.repeat(10_000_000)}"}`), 'arguments_too_large'],
    ['no end of the call', good.slice(0, 2), 'call_incomplete'],
  ])('%s', async (_, events, reason) => {
    const { ran, result } = await runOn([[start, ...events, callsEnd], goodbye]);
    expect(result.outcomes.map((outcome) => outcome.reason)).toEqual([reason]);
    expect(ran).toEqual([]);
    expect(result.stopReason).toBe('answer');
    const told = JSON.stringify(result.items.filter(({ kind }) => kind === 'tool-result'));
    expect(told.length).toBeLessThan(2_000);
  });

  test.each(['length', 'content-filter', 'refusal', 'error', 'unknown', 'end_turn', undefined, 7])(
    'a turn that ends with %s',
    async (finish) => {
      const { ran, result } = await runOn([[start, ...good, { kind: 'response-end', finish }], goodbye]);
      expect(ran).toEqual([]);
      expect(result.outcomes[0]?.reason).toBe('call_incomplete');
    },
  );
});

describe('ids that a model gives wrongly', () => {
  test.each([
    ['no id', ['', '']],
    ['the word null', ['null', 'null']],
    ['an id that is no text', [undefined, 7]],
    ['ids with a line break', ['a\nb', 'c\nd']],
    ['ids that are too long', ['a'.repeat(500), 'b'.repeat(500)]],
    ['ids in another script', ['呼'.repeat(100), '出'.repeat(100)]],
  ])('%s: both calls run, each paired with its own result', async (_, [one, two]) => {
    const events = [...call(0, 'add', '{"a":1,"b":1}', one), ...call(1, 'add', '{"a":2,"b":2}', two)];
    const { ran, result } = await runOn([[start, ...events, callsEnd], goodbye]);
    expect(ran).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const calls = result.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
    const results = result.items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
    expect(new Set(calls).size).toBe(2);
    expect(results).toEqual(calls);
  });

  test('a repeated id runs once, and the second call is told why it did not', async () => {
    const events = [...call(0, 'add', '{"a":1,"b":1}', 'x'), ...call(1, 'add', '{"a":2,"b":2}', 'x')];
    const { ran, result } = await runOn([[start, ...events, callsEnd], goodbye]);
    expect(ran).toEqual([[1, 1]]);
    expect(result.outcomes[1]).toMatchObject({ kind: 'invalid', reason: 'call_id_duplicate' });
  });
});

const later = (error: unknown): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

describe('a stream that is none ends the run by name, and nothing of it runs', () => {
  test.each<[string, RawTurn, string]>([
    ['an index twice', [start, ...good, ...text(0, 'x'), callsEnd], 'model/stream-invalid'],
    ['a negative index', [start, ...call(-1, 'add', '{}'), callsEnd], 'model/stream-invalid'],
    ['an index that is no number', [start, { kind: 'text-start', index: '0' }], 'model/stream-invalid'],
    [
      'a delta of no block',
      [start, ...good, { kind: 'call-delta', index: 9, delta: '}' }],
      'model/stream-invalid',
    ],
    [
      'an end that differs from its deltas',
      [
        start,
        good[0],
        { kind: 'call-end', index: 0, callId: 'c0', name: 'add', arguments: '{"a":1,"b":2}' },
        callsEnd,
      ],
      'model/stream-invalid',
    ],
    ['no start', [...good, callsEnd], 'model/stream-invalid'],
    ['two starts', [start, ...good, start, callsEnd], 'model/stream-invalid'],
    ['events that are nothing', [start, ...good, undefined], 'model/provider-error'],
    ['events that are null', [null], 'model/provider-error'],
    ['no event at all', [], 'model/stream-incomplete'],
    ['no end', [start, ...good], 'model/stream-incomplete'],
    [
      'an error in the middle',
      [start, ...good, { kind: 'response-error', code: 'model/provider-error', message: 'Overloaded.' }],
      'model/provider-error',
    ],
    [
      'a throw before the first event',
      () => later(new Error('key sk-secret is wrong')),
      'model/provider-error',
    ],
    ['a throw of nothing', () => later(undefined), 'model/provider-error'],
    [
      'a throw instead of a stream',
      () => {
        throw new Error('key sk-secret is wrong');
      },
      'model/provider-error',
    ],
    ['nothing instead of a stream', () => undefined as never, 'model/provider-error'],
  ])('%s', async (_, turn, code) => {
    const { ran, result } = await runOn([turn]);
    expect(result).toMatchObject({ stopReason: 'model_error', error: { code } });
    expect(ran).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('sk-secret');
    const results = result.items.filter(({ kind }) => kind === 'tool-result').length;
    expect(results).toBe(result.items.filter(({ kind }) => kind === 'tool-call').length);
  });

  test('the cause is there for diagnosis, and nowhere else', async () => {
    const error = new Error('key sk-secret is wrong');
    const { result } = await runOn([() => later(error)]);
    expect(result.error?.cause).toBe(error);
  });
});

test.each([
  [
    'throws',
    async function* () {
      yield* [start, ...good, callsEnd];
      throw new Error('reset');
    },
  ],
  [
    'says more',
    async function* () {
      yield* [start, ...good, callsEnd, ...text(5, 'and'), stop];
    },
  ],
  [
    'never ends',
    async function* () {
      yield* [start, ...good, callsEnd];
      await new Promise(() => undefined);
    },
  ],
])('an answer that is whole counts, when the model %s after its end', async (_, turn) => {
  const { ran, result } = await runOn([turn, goodbye]);
  expect(ran).toEqual([[1, 2]]);
  expect(result).toMatchObject({ stopReason: 'answer', turns: 2 });
});

test('a generator is run to its end after the last event, so that its connection can be used again', async () => {
  let ended = 'not at all';
  const turn = async function* () {
    try {
      yield* goodbye;
      ended = 'by itself';
    } finally {
      if (ended === 'not at all') ended = 'by return';
    }
  };
  await runOn([turn]);
  expect(ended).toBe('by itself');
});

test.each([
  ['a call as JSON', '{"name": "add", "arguments": {"a": 1, "b": 2}}'],
  ['a call in a fence', 'Sure:\n```tool_code\n{"functionCall":{"name":"add","args":"{}"}}\n```'],
  ['a call in tags', '<tool_call>{"name":"add"}</tool_call>'],
  ['a call as code', 'add(a=1, b=2)'],
  ['what is left of a call', 'It is done.\n</invoke>\n</tool_calls>'],
  ['a part of a call', '<parameter name="a">1</parameter>'],
  ['a call with the marks of Mistral', '[TOOL_CALLS] [{"arguments": {"a": 1}}]'],
  ['a call with the marks of Llama', '<|python_tag|>sum'],
  ['a call with the marks of DeepSeek', '<｜tool▁calls▁begin｜>'],
  ['a call with the marks of Kimi', '<|tool_calls_section_begin|>'],
  ['a call with the marks of Harmony', 'to=functions.add json {"a":1}'],
  ['a call with the marks of Gemma', 'call:default_api:add{}'],
  ['a call in a tag of its name', '<add><a>1</a></add>'],
  ['a call as ReAct writes it', 'Action: add\nAction Input: {"a": 1}'],
])('%s in the text is an answer with a warning, and is not run', async (_, said) => {
  const { ran, result } = await runOn([[start, ...text(0, said), stop]]);
  expect(result).toMatchObject({ stopReason: 'answer', text: said });
  expect(result.warnings.map(({ code }) => code)).toEqual(['call-like-text']);
  expect(ran).toEqual([]);
});

test.each([
  'Use add to sum up.',
  '{"sum": 3}',
  'The name of the tool is "add".',
  'Action: add more salt.',
  'Invoke the parameter tool, then call it.',
])('an answer like %j gives no warning', async (said) => {
  expect((await runOn([[start, ...text(0, said), stop]])).result.warnings).toEqual([]);
});

test('what a provider ran itself stays in the history and is no call', async () => {
  const item = {
    kind: 'foreign',
    protocol: 'anthropic',
    role: 'assistant',
    value: { type: 'server_tool_use' },
  };
  const { model, result } = await runOn([
    [start, { kind: 'foreign', index: 0, item }, ...call(1, 'add', '{"a":1,"b":2}'), callsEnd],
    goodbye,
  ]);
  expect(result.outcomes).toHaveLength(1);
  expect(model.requests[1]?.items.map(({ kind }) => kind)).toEqual([
    'message',
    'foreign',
    'tool-call',
    'tool-result',
  ]);
});

test('counts that are none are not known, and do not reach the total', async () => {
  const usage = { inputTotal: Number.NaN, cacheRead: -1, cacheWrite: '5', outputTotal: 4, reasoning: null };
  const { result } = await runOn([[start, { kind: 'usage', usage }, ...text(0, 'x'), stop]]);
  expect(result.usage).toEqual({ inputTotal: null, outputTotal: 4 });
});

test('a text with half a character is stored as one that can be sent', async () => {
  const { result } = await runOn([[start, ...text(0, 'a\ud83db'), stop]]);
  expect(result.text).toBe('a\ufffdb');
});

test('a model may keep what it was asked: the history that grows later is another list', async () => {
  const kept: ModelCall['items'][] = [];
  const turn = (events: readonly unknown[]): RawTurn =>
    async function* (asked) {
      kept.push(asked.items);
      yield* events;
    };
  await runOn([turn([start, ...good, callsEnd]), turn(goodbye)]);
  expect(kept.map(({ length }) => length)).toEqual([1, 3]);
});
