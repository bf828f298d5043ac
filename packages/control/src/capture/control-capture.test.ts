import {
  anthropic,
  codecOf,
  collectResponse,
  createEventOrder,
  type ForeignItem,
  type ModelEvent,
  openaiChat,
  openaiResponses,
  PROTOCOLS,
  responseToEvents,
} from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { active, callOf, SPEC, TOOLS } from '../../test-support/calls.ts';
import { project } from '../projection/project.ts';
import type { CaptureReason } from './capture-reason.ts';
import { ControlCapture } from './control-capture.ts';

const start = (index: number, callId: string, name = 'finish'): ModelEvent => ({
  kind: 'call-start',
  index,
  callId,
  name,
});
const delta = (index: number, text: string): ModelEvent => ({ kind: 'call-delta', index, delta: text });
const end = (index: number, callId: string, text: string, name = 'finish'): ModelEvent => ({
  kind: 'call-end',
  index,
  callId,
  name,
  arguments: text,
});
const whole = (index: number, callId: string, text = '{}', name = 'finish'): readonly ModelEvent[] => [
  start(index, callId, name),
  delta(index, text),
  end(index, callId, text, name),
];
const finish: ModelEvent = { kind: 'response-end', finish: 'tool-calls' };

/** Everything that flows on, and the capture afterwards. */
const run = (events: readonly ModelEvent[], capture = new ControlCapture(active().projection)) => {
  const shown = events.flatMap((event) => capture.push(event) ?? []);
  return { capture, shown };
};

const failsWith = (reason: CaptureReason, events: readonly ModelEvent[]): void => {
  const { capture, shown } = run(events);
  expect([capture.state, capture.reason]).toEqual(['failed', reason]);
  expect(capture.takeCompleted()).toBeUndefined();
  expect(shown).toEqual([]);
};

const argsJson = '{"r":"é\u{1F600}"}';

describe('a control call', () => {
  test('is taken out whole, and given out once', () => {
    const { capture, shown } = run(whole(0, 'c1'));
    expect(shown).toEqual([]);
    expect(capture.state).toBe('completed');
    const call = capture.takeCompleted();
    expect(call).toEqual({ toolCallId: 'c1', toolName: 'finish', argsJson: '{}' });
    expect(Object.isFrozen(call)).toBe(true);
    expect(capture.takeCompleted()).toBeUndefined();
  });

  test('50 in pieces of one unit, through the middle of characters, is one call', () => {
    const pieces = argsJson.split('').map((unit) => delta(3, unit));
    const { capture } = run([start(3, 'c1'), ...pieces, end(3, 'c1', argsJson)]);
    expect(capture.takeCompleted()?.argsJson).toBe(argsJson);
  });

  test('50 with exactly as many bytes as allowed, in pieces, is whole', () => {
    const text = `"${'\u{1F600}'.repeat(15)}xx"`;
    expect(new TextEncoder().encode(text)).toHaveLength(64);
    const pieces = text.split('').map((unit) => delta(0, unit));
    expect(run([start(0, 'c1'), ...pieces, end(0, 'c1', text)]).capture.state).toBe('completed');
  });

  test.each(PROTOCOLS)('50 in bytes one at a time on the wire of %s is one call', (protocol) => {
    const codec = codecOf(protocol);
    const encoder = codec.encodeStream({ id: 'r', model: 'm', createdAt: 1 });
    const wire = [
      { kind: 'response-start', id: 'r', model: 'm' } as const,
      ...whole(0, 'call_1', argsJson),
      finish,
    ];
    const bytes = new TextEncoder().encode(wire.map((event) => encoder.push(event)).join(''));
    const decoder = codec.decodeStream();
    const events = [...bytes].flatMap((byte) => decoder.push(Uint8Array.of(byte)));
    const { capture, shown } = run([...events, ...decoder.end()]);
    expect(JSON.parse(capture.takeCompleted()?.argsJson ?? 'null')).toEqual(JSON.parse(argsJson));
    expect(shown.map(({ kind }) => kind)).not.toContain('call-start');
    expect(JSON.stringify(shown)).not.toContain('"name"');
  });

  test('51 lets ordinary calls through in order, also while it is open', () => {
    const ordinary = whole(1, 'o1', '{"a":1}', 'lookup');
    const more = whole(2, 'o2', '{}', 'store');
    const [first, ...rest] = ordinary;
    if (first === undefined) throw new Error('a call has a start');
    const { capture, shown } = run([
      first,
      start(0, 'c1'),
      ...rest,
      delta(0, '{'),
      ...more,
      delta(0, '}'),
      end(0, 'c1', '{}'),
    ]);
    expect(shown).toEqual([...ordinary, ...more]);
    expect(capture.state).toBe('completed');
  });

  test('52 holds nothing back: text between its pieces flows on at once, the same value', () => {
    const capture = new ControlCapture(active().projection);
    capture.push(start(0, 'c1'));
    for (const event of [
      { kind: 'text-start', index: 1 },
      { kind: 'text-delta', index: 1, text: 'a' },
      { kind: 'text-end', index: 1 },
      { kind: 'reasoning-start', index: 2 },
      { kind: 'reasoning-delta', index: 2, text: 'b' },
      { kind: 'reasoning-end', index: 2 },
      { kind: 'refusal-start', index: 3 },
      { kind: 'refusal-delta', index: 3, text: 'c' },
      { kind: 'refusal-end', index: 3 },
      { kind: 'warning', code: 'x', detail: 'y' },
      { kind: 'part', index: 4, part: { kind: 'image', source: { kind: 'url', url: 'https://x.test/' } } },
    ] satisfies readonly ModelEvent[]) {
      expect(capture.push(event)).toBe(event);
    }
  });

  test('53 is made invalid by a second one', () => {
    failsWith('control_call_multiple_calls', [...whole(0, 'c1'), ...whole(1, 'c2')]);
    failsWith('control_call_multiple_calls', [
      start(0, 'c1'),
      start(1, 'c2'),
      delta(0, '{}'),
      end(0, 'c1', '{}'),
    ]);
    failsWith('control_call_multiple_calls', [...whole(0, 'c1'), end(7, 'c2', '{}')]);
  });

  test('53 that was taken already is invalid afterwards', () => {
    const { capture } = run(whole(0, 'c1'));
    capture.takeCompleted();
    run(whole(1, 'c2'), capture);
    expect([capture.state, capture.reason]).toEqual(['failed', 'control_call_multiple_calls']);
  });

  test('54 may not start or finish twice', () => {
    failsWith('control_call_duplicate_start', [start(0, 'c1'), start(1, 'c1')]);
    failsWith('control_call_duplicate_start', [...whole(0, 'c1'), start(1, 'c1')]);
    failsWith('control_call_duplicate_finish', [...whole(0, 'c1'), end(0, 'c1', '{}')]);
    failsWith('control_call_duplicate_finish', [...whole(0, 'c1'), end(5, 'c1', '{}')]);
  });

  test('54 has no arguments after its end', () => {
    failsWith('control_call_args_after_finish', [...whole(0, 'c1'), delta(0, ' ')]);
  });

  test.each([
    ['in one piece', ['x'.repeat(65)]],
    ['in many', Array.from({ length: 65 }, () => 'x')],
    ['in bytes', ['é'.repeat(33)]],
    ['much', ['x'.repeat(1_000_000), 'x'.repeat(1_000_000)]],
  ])('55 with arguments over its bound, %s, is dropped', (_, pieces) => {
    const text = pieces.join('');
    failsWith('control_call_args_overflow', [
      start(0, 'c1'),
      ...pieces.map((piece) => delta(0, piece)),
      end(0, 'c1', text),
    ]);
  });

  test.each([
    ['empty', ''],
    ['blank', ' '],
    ['two values', '{}{}'],
    ['cut off', '{"a":'],
    ['no JSON', 'done'],
    ['half of a pair', '"\ud800"'],
    ['a duplicate member', '{"a":1,"a":2}'],
  ])('56 with arguments that are %s is malformed', (_, text) => {
    failsWith('control_call_args_malformed', [
      start(0, 'c1'),
      ...(text === '' ? [] : [delta(0, text)]),
      end(0, 'c1', text),
    ]);
  });

  test('56 of 64 levels is whole, and of 65 is not', () => {
    const spec = { tool: SPEC.tool, instruction: SPEC.instruction, maxArgsBytes: 200 };
    const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const stateOf = (levels: number): string => {
      const { projection } = project(callOf(), spec, TOOLS);
      return run(whole(0, 'c1', deep(levels)), new ControlCapture(projection)).capture.state;
    };
    expect([stateOf(64), stateOf(65)]).toEqual(['completed', 'failed']);
  });

  test('56 whose end says something else than its pieces is malformed', () => {
    failsWith('control_call_args_malformed', [start(0, 'c1'), delta(0, '{}'), end(0, 'c1', '{"a":1}')]);
  });

  test('57 that ends without a start is invalid, and claims its id', () => {
    const { capture, shown } = run([end(0, 'c1', '{}'), ...whole(1, 'c1', '{}', 'lookup')]);
    expect([capture.reason, shown]).toEqual(['control_call_before_start', []]);
  });

  test('57 that starts after such an end is swallowed too', () => {
    failsWith('control_call_before_start', [end(0, 'c1', '{}'), ...whole(1, 'c2')]);
  });

  test('58 may have no result in the answer', () => {
    const { capture } = run(whole(0, 'c1'));
    const result = { kind: 'tool-result', callId: 'c1', parts: [] } as const;
    expect(capture.pushItem(result)).toBeUndefined();
    expect(capture.reason).toBe('control_call_result_observed');
    expect(capture.pushItem({ ...result, callId: 'other' })).toEqual({ ...result, callId: 'other' });
  });

  test('58 has no result before it, by name either', () => {
    const capture = new ControlCapture(active().projection);
    expect(capture.pushItem({ kind: 'tool-result', callId: 'x', name: 'finish', parts: [] })).toBeUndefined();
    expect(capture.reason).toBe('control_call_before_start');
  });

  test.each<[string, readonly ModelEvent[]]>([
    ['at a start', [...whole(0, 'c1'), ...whole(1, 'c1', '{}', 'lookup')]],
    ['at its end', [start(0, 'c1'), delta(0, '{}'), end(0, 'c1', '{}', 'lookup')]],
    ['at an end elsewhere', [start(0, 'c1'), end(4, 'c1', '{}', 'lookup')]],
    ['of another call at its end', [start(0, 'c1'), delta(0, '{}'), end(0, 'c9', '{}')]],
    ['at an end without a start of its own', [start(0, 'c1'), delta(0, '{}'), end(4, 'c1', '{}')]],
  ])('59 whose id comes under another name or place %s is in conflict', (_, events) => {
    failsWith('control_call_name_conflict', events);
  });

  test('59 may leave its name out at the end', () => {
    expect(run([start(0, 'c1'), delta(0, '{}'), end(0, 'c1', '{}', '')]).capture.state).toBe('completed');
  });

  test('60 is one of sixteen at most: the next one aborts the attempt', () => {
    const starts = Array.from({ length: 16 }, (_, at) => start(at, `c${at}`));
    const { capture } = run(starts);
    expect(capture.state).toBe('failed');
    const exhausted = expect.objectContaining({ code: 'control/capture-exhausted' });
    expect(() => capture.push(start(16, 'c16'))).toThrow(exhausted);
    expect(capture.state).toBe('fatal');
    expect(() => capture.push(start(0, 'c0'))).toThrow(exhausted);
    expect(() => capture.push(start(17, 'c17'))).toThrow(/^(?!.*c17)/);
    expect(capture.push({ kind: 'text-delta', index: 99, text: 'x' })).toEqual({
      kind: 'text-delta',
      index: 99,
      text: 'x',
    });
    run([finish], capture);
    expect(capture.state).toBe('fatal');
  });

  test('60 by ids alone as well', () => {
    const { capture } = run([]);
    for (let at = 0; at < 16; at += 1) {
      capture.pushItem({ kind: 'tool-result', callId: `c${at}`, name: 'finish', parts: [] });
    }
    expect(() => capture.pushItem({ kind: 'tool-result', callId: 'c16', name: 'finish', parts: [] })).toThrow(
      expect.objectContaining({ code: 'control/capture-exhausted' }),
    );
  });

  test('61 that is open when the answer ends is unterminated, however it ends', () => {
    const error: ModelEvent = { kind: 'response-error', code: 'x', message: 'y' };
    for (const last of [finish, error]) {
      const { capture, shown } = run([start(0, 'c1'), delta(0, '{}'), last]);
      expect([capture.state, capture.reason]).toEqual(['failed', 'control_call_unterminated']);
      expect(shown).toEqual([last]);
    }
    expect(run([...whole(0, 'c1'), finish]).capture.state).toBe('completed');
  });

  test('62 after the release is an error and never an ordinary one', () => {
    const released = expect.objectContaining({ code: 'control/capture-released' });
    const { capture } = run([start(0, 'c1')]);
    capture.release();
    for (const event of [delta(0, '{}'), end(0, 'c1', '{}'), start(1, 'c2'), start(2, 'c1', 'lookup')]) {
      expect(() => capture.push(event)).toThrow(released);
    }
    expect([capture.state, capture.takeCompleted()]).toEqual(['released', undefined]);
    const ordinary = start(5, 'o1', 'lookup');
    expect(capture.push(ordinary)).toBe(ordinary);
  });

  test('62 that was whole is gone with the release', () => {
    const { capture } = run(whole(0, 'c1'));
    capture.release();
    expect(capture.takeCompleted()).toBeUndefined();
  });

  test('63 as a whole item is judged as in a stream', () => {
    const item = { kind: 'tool-call', callId: 'c1', name: 'finish' } as const;
    const outcomes = ['{"a":1}', '', '{}{}', 'x'.repeat(65)].map((text) => {
      const capture = new ControlCapture(active().projection);
      expect(capture.pushItem({ ...item, arguments: text })).toBeUndefined();
      const streamed = run(whole(0, 'c1', text)).capture;
      expect([capture.state, capture.reason]).toEqual([streamed.state, streamed.reason]);
      expect(capture.takeCompleted()).toEqual(streamed.takeCompleted());
      return capture.reason ?? capture.state;
    });
    expect(outcomes).toEqual([
      'completed',
      'control_call_args_malformed',
      'control_call_args_malformed',
      'control_call_args_overflow',
    ]);
  });

  test('63 as a whole item lets other items through, and may come once', () => {
    const capture = new ControlCapture(active().projection);
    const items = [
      { kind: 'message', role: 'assistant', parts: [] },
      { kind: 'reasoning', text: 'x' },
      { kind: 'tool-call', callId: 'o1', name: 'lookup', arguments: '{}' },
      { kind: 'foreign', protocol: 'openai-chat', role: 'assistant', value: 'x' },
    ] as const;
    expect(items.map((item) => capture.pushItem(item))).toEqual(items);
    for (const callId of ['c1', 'c2']) {
      capture.pushItem({ kind: 'tool-call', callId, name: 'finish', arguments: '{}' });
    }
    expect(capture.reason).toBe('control_call_multiple_calls');
  });

  test('63 in a whole answer is taken out of it', () => {
    const events = responseToEvents({
      id: 'r',
      model: 'm',
      items: [
        { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Hi' }] },
        { kind: 'tool-call', callId: 'c1', name: 'finish', arguments: '{}' },
      ],
      finish: 'tool-calls',
      usage: null,
    });
    const { capture, shown } = run(events);
    expect(capture.state).toBe('completed');
    expect(collectResponse(shown).items).toEqual([
      { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Hi' }] },
    ]);
  });

  test('64 that the wire says twice, in a done event and in a done item, is one call', () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'finish', status: 'completed' };
    const response = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] };
    const wire = [
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, arguments: '', status: 'in_progress' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: '{}' },
      { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: '{}' },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{}' } },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', output: [{ ...item, arguments: '{}' }] },
      },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const decoder = openaiResponses.decodeStream();
    const events = [...decoder.push(new TextEncoder().encode(wire.join(''))), ...decoder.end()];
    const { capture } = run(events);
    expect([capture.state, capture.reason]).toEqual(['completed', undefined]);
  });

  test('65 needs an active projection, and without one a tool of that name is the client’s', () => {
    const { projection } = project(callOf({ tools: [SPEC.tool] }), SPEC, TOOLS);
    expect(projection.reason).toBe('tool_name_collision');
    expect(() => new ControlCapture(projection)).toThrow(
      expect.objectContaining({ code: 'control/projection-inactive' }),
    );
  });

  test.each([
    ['blank', ' '],
    ['empty', ''],
    ['of 257 bytes', 'c'.repeat(257)],
    ['half of a pair', '\ud800'],
  ])('with an id that is %s is invalid, and the id is claimed', (_, callId) => {
    failsWith('control_call_id_invalid', [...whole(0, callId), ...whole(1, callId, '{}', 'lookup')]);
  });

  test('has the first reason, whatever follows', () => {
    failsWith('control_call_args_malformed', [
      ...whole(0, 'c1', '{'),
      ...whole(1, 'c2'),
      start(2, 'c1', 'x'),
    ]);
  });

  test('in other case is an ordinary call', () => {
    const events = whole(0, 'c1', '{}', 'Finish');
    expect(run(events).shown).toEqual(events);
  });
});

describe('an item that only its own protocol understands', () => {
  const foreign = (value: ForeignItem['value'], index = 8): ModelEvent => ({
    kind: 'foreign',
    index,
    item: { kind: 'foreign', protocol: 'openai-chat', role: 'assistant', value },
  });

  test.each([
    { type: 'custom_tool_call', call_id: 'x', name: 'finish', input: 'done' },
    { type: 'custom', id: 'x', custom: { name: 'finish', input: 'done' } },
    { functionCall: { name: 'finish', args: {} } },
    { type: 'message', name: 'finish' },
  ])('is judged by what it holds: %j', (value) => {
    failsWith('control_call_malformed_item', [foreign(value)]);
  });

  test('may bring no result of a control call, and not its id under another name', () => {
    failsWith('control_call_result_observed', [...whole(0, 'c1'), foreign({ type: 'x', tool_use_id: 'c1' })]);
    failsWith('control_call_name_conflict', [
      ...whole(0, 'c1'),
      foreign({ type: 'x', id: 'c1', name: 'other' }),
    ]);
  });

  test('in a part of a message is judged like one', () => {
    const part = {
      kind: 'foreign',
      protocol: 'gemini',
      value: { functionCall: { name: 'finish' } },
    } as const;
    failsWith('control_call_malformed_item', [{ kind: 'part', index: 3, part }]);
  });

  test.each([
    null,
    'finish',
    7,
    ['finish'],
    { input: { name: 'finish' } },
    { type: 'x', id: 'o1', name: 'y' },
  ])('is none of ours: %j', (value) => {
    const event = foreign(value);
    expect(run([...whole(0, 'c1'), event]).shown).toEqual([event]);
  });
});

describe('what an answer echoes of the request', () => {
  const { text } = SPEC.instruction;
  const lookup = { type: 'function', name: 'lookup', parameters: {} };
  const tool = { type: 'function', name: 'finish', parameters: { type: 'object' } };
  const members = (echo: Readonly<Record<string, unknown>>): ModelEvent =>
    ({
      kind: 'response-start',
      id: 'r',
      model: 'm',
      extensions: { protocol: 'openai-responses', members: echo },
    }) as ModelEvent;
  const shownOf = (event: ModelEvent): unknown => {
    const [shown] = run([event]).shown;
    return shown?.kind === 'response-start' || shown?.kind === 'response-end'
      ? shown.extensions?.members
      : undefined;
  };

  test.each([
    [
      { tools: [lookup, tool], store: true },
      { tools: [lookup], store: true },
    ],
    [{ tools: [tool], store: true }, { store: true }],
    [{ tools: [tool] }, undefined],
    [{ tools: [{ type: 'function', function: { name: 'finish' } }, lookup] }, { tools: [lookup] }],
    [{ instructions: text, store: true }, { store: true }],
    [{ instructions: `${text}\n\nBe brief.` }, { instructions: 'Be brief.' }],
    [{ instructions: `Be brief. ${text}`, store: true }, { store: true }],
    [
      {
        instructions: [
          { role: 'system', content: text },
          { role: 'system', content: 'x' },
        ],
      },
      {
        instructions: [{ role: 'system', content: 'x' }],
      },
    ],
    [{ instructions: [{ role: 'system', content: text }], store: true }, { store: true }],
    [{ instructions: `${text}\n\n`, store: true }, { store: true }],
  ])('is shown without the control tool: %j', (echo, shown) => {
    expect(shownOf(members(echo))).toEqual(shown);
    expect(shownOf({ ...members(echo), kind: 'response-end', finish: 'stop' } as ModelEvent)).toEqual(shown);
  });

  test.each([
    { tools: [lookup], instructions: 'Be brief.' },
    { tools: 'none', instructions: 7 },
    { tools: [null, 'finish'], instructions: [{ content: 'x' }] },
    { store: true },
  ])('is left alone where there is none: %j', (echo) => {
    const event = members(echo);
    expect(run([event]).shown[0]).toBe(event);
  });

  test('is left alone where the envelope has nothing', () => {
    const event: ModelEvent = { kind: 'response-start', id: null, model: null };
    expect(run([event, finish]).shown).toEqual([event, finish]);
  });

  test('is hidden from the client of OpenAI Responses, in the stream and in the whole answer', () => {
    const echoes = { instructions: `${text}\n\nBe brief.`, tools: [lookup, tool] };
    const body = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'm',
      status: 'completed',
      output: [
        {
          type: 'function_call',
          id: 'fc',
          call_id: 'c1',
          name: 'finish',
          arguments: '{}',
          status: 'completed',
        },
      ],
      ...echoes,
    };
    const { shown } = run(responseToEvents(openaiResponses.decodeResponse(body).value));
    const encoder = openaiResponses.encodeStream({ id: 'r', model: 'm', createdAt: 1 });
    const seen = JSON.stringify(openaiResponses.encodeResponse(collectResponse(shown)).value);
    const streamed = shown.map((event) => encoder.push(event)).join('');
    for (const wire of [seen, streamed]) {
      expect(wire).toContain('lookup');
      expect(wire).not.toMatch(/finish|Call finish/);
    }
  });
});

test('whatever comes in whatever order: nothing of the control tool flows on, everything else does, in order', () => {
  const id = fc.constantFrom('c1', 'c2', 'o1', 'o2');
  const name = fc.constantFrom('finish', 'lookup', '');
  const index = fc.nat({ max: 4 });
  const args = fc.constantFrom('{}', '', '{', 'x'.repeat(70));
  const event: fc.Arbitrary<ModelEvent> = fc.oneof(
    fc.record({ kind: fc.constant('call-start' as const), index, callId: id, name }),
    fc.record({ kind: fc.constant('call-delta' as const), index, delta: args }),
    fc.record({ kind: fc.constant('call-end' as const), index, callId: id, name, arguments: args }),
    fc.record({ kind: fc.constant('text-delta' as const), index, text: fc.string() }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const { capture, shown } = run(events);
      expect(shown.some((one) => 'name' in one && one.name === 'finish')).toBe(false);
      const texts = (list: readonly ModelEvent[]): readonly ModelEvent[] =>
        list.filter(({ kind }) => kind === 'text-delta');
      expect(texts(shown)).toEqual(texts(events));
      expect(events.filter((one) => shown.includes(one))).toEqual(shown);
      const completed = capture.takeCompleted();
      expect(completed === undefined).toBe(capture.state !== 'completed');
      expect(capture.state === 'failed').toBe(capture.reason !== undefined);
    }),
    { numRuns: 500 },
  );
});

test('what flows on of an orderly stream is orderly', () => {
  for (const codec of [openaiChat, anthropic]) {
    const order = createEventOrder();
    const encoder = codec.encodeStream({ id: 'r', model: 'm', createdAt: 1 });
    const events: readonly ModelEvent[] = [
      { kind: 'response-start', id: 'r', model: 'm' },
      { kind: 'text-start', index: 0 },
      { kind: 'text-delta', index: 0, text: 'a' },
      { kind: 'text-end', index: 0 },
      ...whole(1, 'c1'),
      ...whole(2, 'o1', '{}', 'lookup'),
      finish,
    ];
    const { shown } = run(events);
    for (const event of shown) order.push(event);
    order.end();
    expect(shown.map((event) => encoder.push(event)).join('')).not.toContain('"finish"');
  }
});
