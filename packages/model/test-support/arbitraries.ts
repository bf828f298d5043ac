import type { JsonObject, JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import type { ContentPart, Item, MediaContent, ToolCallItem, ToolResultItem } from '../src/call/item.ts';
import type { Instruction, ModelCall, ModelTool, ToolChoice } from '../src/call/model-call.ts';
import type { FinishReason, ModelResponse, Usage } from '../src/call/model-response.ts';
import type { ModelEvent } from '../src/event/model-event.ts';
import { responseToEvents } from '../src/event/response-to-events.ts';

// Generators of neutral values for the property tests of all codecs. Objects that come out are as the codecs make
// them: optional members are absent, not undefined.

type Arbitrary<Value> = fc.Arbitrary<Value>;

/** Drops members that are `undefined`. */
function present<Shape extends object>(record: Arbitrary<Shape>): Arbitrary<Shape> {
  return record.map((value) => {
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Shape;
  });
}

const optional = <Value>(value: Arbitrary<Value>): Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const nullable = <Value>(value: Arbitrary<Value>): Arbitrary<Value | null | undefined> => {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: value },
    fc.constant(null),
  );
};

/** Text that says something: never empty, with everything that wires have trouble with. */
export const text: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) },
  fc.constantFrom(
    'null',
    ' \n',
    'data: x\n\n',
    '你好 😀',
    '[toolgate:error] not really',
    '[toolgate:text] [toolgate:error] x',
    '[DONE]',
    '{"name":"get_weather","arguments":{}}',
    '\r\n\u2028\uFEFF',
    '"\\',
  ),
);

/** A small JSON value without numbers that text would change. */
export const json: Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.string({ maxLength: 5 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }).filter(isPlainName), tie('value'), {
      maxKeys: 3,
    }),
  ),
})).value;

function isPlainName(name: string): boolean {
  return name !== '__proto__' && name !== 'constructor';
}

/** A small JSON object. */
export const jsonObject: Arbitrary<JsonObject> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }).filter(isPlainName),
  json,
  { maxKeys: 3 },
);

const name = fc.constantFrom('get_weather', 'add', 'read-file', 'A1', 'search');
const base64 = fc.constantFrom('aGVsbG8=', '/+8=', 'AAECAw==');

/** Argument text: mostly an object, sometimes empty, sometimes nothing any JSON reader takes. */
export const argumentText: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: jsonObject.map((value) => JSON.stringify(value)) },
  fc.constantFrom('', '{}', '{ "a" : 1.0 }', '{"a":1,"a":2}'),
);

/** Argument text that is an object, for wires that carry objects. */
export const objectArguments: Arbitrary<string> = jsonObject.map((value) => JSON.stringify(value));

const media: Arbitrary<MediaContent> = fc.oneof(
  fc.record({
    kind: fc.constant('image' as const),
    source: fc.oneof(
      fc.record({
        kind: fc.constant('base64' as const),
        mediaType: fc.constantFrom('image/png', 'image/jpeg'),
        data: base64,
      }),
      fc.constant({ kind: 'url' as const, url: 'https://example.org/a.png' }),
    ),
  }),
  fc.record({
    kind: fc.constant('audio' as const),
    source: fc.record({
      kind: fc.constant('base64' as const),
      mediaType: fc.constantFrom('audio/wav', 'audio/mpeg', 'audio/ogg'),
      data: base64,
    }),
  }),
  present(
    fc.record({
      kind: fc.constant('file' as const),
      source: fc.record({
        kind: fc.constant('base64' as const),
        mediaType: fc.constant('application/pdf'),
        data: base64,
      }),
      name: optional(fc.constant('report.pdf')) as Arbitrary<string>,
    }),
  ),
);

const textPart: Arbitrary<ContentPart> = text.map((value) => ({ kind: 'text', text: value }));
const userParts = fc.array(fc.oneof({ weight: 3, arbitrary: textPart }, media), {
  minLength: 1,
  maxLength: 3,
});

interface Turn {
  readonly items: (firstId: number) => readonly Item[];
  readonly calls: number;
}

const userTurn: Arbitrary<Turn> = userParts.map((parts) => ({
  calls: 0,
  items: () => [{ kind: 'message', role: 'user', parts }],
}));

const operatorTurn: Arbitrary<Turn> = fc
  .record({ role: fc.constantFrom('system' as const, 'developer' as const), value: text })
  .map(({ role, value }) => ({
    calls: 0,
    items: () => [{ kind: 'message', role, parts: [{ kind: 'text', text: value }] }],
  }));

interface CallParts {
  readonly name: string;
  readonly arguments: string;
  readonly result: Omit<ToolResultItem, 'callId' | 'kind'>;
}

const resultParts = present(
  fc.record({
    parts: fc.array(fc.oneof({ weight: 4, arbitrary: textPart }, media), { maxLength: 2 }),
    isError: optional(fc.constant(true)) as Arbitrary<true>,
  }),
);

function assistantTurn(argumentsOf: Arbitrary<string>): Arbitrary<Turn> {
  const call: Arbitrary<CallParts> = fc.record({ name, arguments: argumentsOf, result: resultParts });
  return fc
    .record({
      said: fc.array(textPart, { maxLength: 2 }),
      calls: fc.array(call, { maxLength: 3 }),
      reversed: fc.boolean(),
    })
    .map(({ said, calls, reversed }) => ({
      calls: calls.length,
      items: (firstId) => {
        const made = calls.map(
          (one, index): ToolCallItem => ({
            kind: 'tool-call',
            callId: `call_${firstId + index}`,
            name: one.name,
            arguments: one.arguments,
          }),
        );
        const results = calls.map(
          (one, index): ToolResultItem => ({
            kind: 'tool-result',
            callId: `call_${firstId + index}`,
            ...one.result,
          }),
        );
        const message: readonly Item[] =
          said.length === 0 && calls.length > 0 ? [] : [{ kind: 'message', role: 'assistant', parts: said }];
        return [...message, ...made, ...(reversed ? results.reverse() : results)];
      },
    }));
}

/** A conversation in which each call has its one result. Ends with a user's turn. */
export function conversation(argumentsOf: Arbitrary<string> = argumentText): Arbitrary<readonly Item[]> {
  const turn = fc.oneof(
    { weight: 3, arbitrary: userTurn },
    { weight: 4, arbitrary: assistantTurn(argumentsOf) },
    { weight: 1, arbitrary: operatorTurn },
  );
  return fc.tuple(userTurn, fc.array(turn, { maxLength: 5 }), userTurn).map(([first, turns, last]) => {
    let id = 0;
    return [first, ...turns, last].flatMap((one) => {
      const items = one.items(id);
      id += one.calls;
      return [...items];
    });
  });
}

const instructions: Arbitrary<readonly Instruction[]> = fc.array(
  fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), text }),
  { maxLength: 3 },
);

const schema: Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'object', properties: {} },
  {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  { type: 'object', properties: { mode: { const: 'x' }, at: { enum: ['a', 'b'] } } },
);

const tool: Arbitrary<ModelTool> = present(
  fc.record({
    kind: fc.constant('function' as const),
    name,
    description: optional(text) as Arbitrary<string>,
    parameters: schema,
    strict: optional(fc.constantFrom(true, false)) as Arbitrary<boolean>,
  }),
);

const tools = fc.uniqueArray(tool, { minLength: 1, maxLength: 3, selector: (one) => one.name });

function choiceAmong(offered: readonly ModelTool[]): Arbitrary<ToolChoice | undefined> {
  const names = offered.map((one) => one.name);
  const mode = fc.constantFrom('auto' as const, 'none' as const, 'any' as const);
  return optional(
    fc.oneof(
      mode.map((value): ToolChoice => ({ mode: value })),
      fc.constantFrom(...names).map((value): ToolChoice => ({ mode: 'named', name: value })),
      fc
        .tuple(fc.constantFrom('auto' as const, 'any' as const), fc.subarray(names, { minLength: 1 }))
        .map(([value, allowed]): ToolChoice => ({ mode: value, allowed })),
    ),
  );
}

const sampling = present(
  fc.record({
    temperature: nullable(fc.constantFrom(0, 0.5, 1)) as Arbitrary<number>,
    topP: nullable(fc.constantFrom(0.1, 1)) as Arbitrary<number>,
    topK: optional(fc.integer({ min: 1, max: 40 })) as Arbitrary<number>,
    seed: optional(fc.integer({ min: 0, max: 9 })) as Arbitrary<number>,
    stop: optional(fc.array(fc.constantFrom('END', '\n\n'), { minLength: 1, maxLength: 2 })) as Arbitrary<
      string[]
    >,
  }),
);

/** A neutral call; its wire forms are what a client of each protocol may send. */
export function modelCall(argumentsOf: Arbitrary<string> = argumentText): Arbitrary<ModelCall> {
  return optional(tools).chain((offered) => {
    return present(
      fc.record({
        model: fc.constantFrom('model-1', 'org/model:2'),
        instructions: nullable(instructions) as Arbitrary<readonly Instruction[]>,
        items: conversation(argumentsOf),
        tools: fc.constant(offered) as Arbitrary<readonly ModelTool[]>,
        toolChoice: (offered === undefined
          ? fc.constant(undefined)
          : choiceAmong(offered)) as Arbitrary<ToolChoice>,
        parallelToolCalls: (offered === undefined
          ? fc.constant(undefined)
          : nullable(fc.boolean())) as Arbitrary<boolean>,
        responseFormat: optional(
          fc.oneof(
            fc.constant({ kind: 'text' as const }),
            fc.record({ kind: fc.constant('json-schema' as const), name: fc.constant('answer'), schema }),
          ),
        ) as Arbitrary<{ readonly kind: 'text' }>,
        limits: optional(fc.constantFrom({ maxOutputTokens: 100 }, { maxOutputTokens: 4096 })) as Arbitrary<{
          readonly maxOutputTokens: number;
        }>,
        sampling: optional(sampling.filter((value) => Object.keys(value).length > 0)) as Arbitrary<object>,
        reasoning: optional(fc.constantFrom({ effort: 'low' }, { effort: 'high' })) as Arbitrary<{
          effort: string;
        }>,
        stream: nullable(fc.boolean()) as Arbitrary<boolean>,
        endUser: optional(fc.constant('user-7')) as Arbitrary<string>,
      }),
    );
  });
}

const count = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null });

/** Token counts; unknown ones are `null`, but not all of them. */
export const usage: Arbitrary<Usage> = fc
  .record({ inputTotal: count, cacheRead: count, cacheWrite: count, outputTotal: count, reasoning: count })
  .filter((counts) => Object.values(counts).some((value) => value !== null));

/** A whole answer whose finish agrees with what it holds. */
export function modelResponse(argumentsOf: Arbitrary<string> = argumentText): Arbitrary<ModelResponse> {
  const call = fc.record({ name, arguments: argumentsOf });
  return fc
    .record({
      id: fc.option(fc.constantFrom('resp_1', 'chatcmpl-2', 'msg_3'), { nil: null }),
      model: fc.option(fc.constant('model-1'), { nil: null }),
      createdAt: optional(fc.constant(1_700_000_000)),
      thought: optional(text),
      said: optional(text),
      refusal: optional(text),
      calls: fc.array(call, { maxLength: 3 }),
      cut: fc.constantFrom<FinishReason | undefined>(undefined, undefined, 'length', 'content-filter'),
      open: fc.boolean(),
      counts: fc.option(usage, { nil: null }),
    })
    .map(({ id, model, createdAt, thought, said, refusal, calls, cut, open, counts }) => {
      const parts: ContentPart[] = [];
      if (said !== undefined) parts.push({ kind: 'text', text: said });
      if (refusal !== undefined) parts.push({ kind: 'refusal', text: refusal });
      const items: Item[] = [];
      if (thought !== undefined) items.push({ kind: 'reasoning', text: thought });
      if (parts.length > 0) items.push({ kind: 'message', role: 'assistant', parts });
      calls.forEach((one, index) => {
        items.push({ kind: 'tool-call', callId: `call_${index}`, ...one });
      });
      const incomplete =
        cut !== undefined && open && calls.length > 0 ? [`call_${calls.length - 1}`] : undefined;
      const clean: FinishReason =
        calls.length > 0 ? 'tool-calls' : refusal !== undefined ? 'refusal' : 'stop';
      return {
        id,
        model,
        items,
        finish: cut ?? clean,
        ...(incomplete === undefined ? {} : { incomplete }),
        usage: counts,
        ...(createdAt === undefined ? {} : { createdAt }),
      };
    });
}

/** The events of an answer, each delta cut anywhere. */
export function eventsOf(response: ModelResponse): Arbitrary<readonly ModelEvent[]> {
  return fc.infiniteStream(fc.nat({ max: 6 })).map((sizes) => {
    return responseToEvents(response).flatMap((event) => cutDelta(event, () => sizes.next().value ?? 1));
  });
}

function cutDelta(event: ModelEvent, size: () => number): readonly ModelEvent[] {
  const whole = event.kind === 'call-delta' ? event.delta : 'text' in event ? event.text : undefined;
  if (whole === undefined) return [event];
  const characters = Array.from(whole);
  const cut: ModelEvent[] = [];
  while (characters.length > 0) {
    const piece = characters.splice(0, size() + 1).join('');
    cut.push(
      event.kind === 'call-delta' ? { ...event, delta: piece } : ({ ...event, text: piece } as ModelEvent),
    );
  }
  return cut;
}
