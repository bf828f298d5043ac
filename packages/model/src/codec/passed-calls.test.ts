import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

/** What of a frame the readers below look at, of whatever protocol. */
interface Frame {
  type?: string;
  index?: number | undefined;
  output_index?: number | undefined;
  item_id?: string | undefined;
  arguments?: string | null | undefined;
  delta?: string | { partial_json?: string; stop_reason?: string };
  item?: Item;
  response?: { id: string; status?: string; output: Item[] };
  content_block?: Item;
  message?: object;
}
interface Item {
  type: string;
  id?: string | undefined;
  call_id?: string;
  name: string;
  arguments?: string | null | undefined;
  input?: object;
}

const utf8 = new TextEncoder();

/** The frames that reach a client as they came, and the calls that somebody could look at. */
function pass(protocol: Protocol, frames: readonly Frame[]) {
  const decoder = codecOf(protocol).decodeStream();
  const passed: Frame[] = [];
  const judged: string[] = [];
  let begun = 0;
  let isPlain = true;
  for (const frame of frames) {
    const events = decoder.push(utf8.encode(`event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`));
    const misleads = decoder.misleads?.() === true;
    for (const event of events) {
      if (event.kind === 'call-start') begun += 1;
      else if (event.kind === 'call-end') judged.push(spelled(event.arguments) ?? '');
      else if (event.kind === 'response-error' || event.kind === 'warning') return undefined;
    }
    // From there on the answer is written anew.
    if (misleads && events.length > 0) isPlain = false;
    if (!misleads && isPlain) passed.push(frame);
    if (events.some(({ kind }) => kind === 'response-end')) break;
  }
  // A call that is cut off or malformed is refused, and nothing of it goes out.
  return begun === judged.length && !judged.includes('') ? { passed, judged } : undefined;
}

/** An object in one spelling; `undefined` for what no client could use. */
function spelled(text: string | null | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

const TEXTS = ['{"a":1}', '{"b":2}', '{}', '', '{"a": 1}', ' '] as const;
const change = fc.record({
  kind: fc.constantFrom('double', 'drop', 'move', 'text', 'place', 'id', 'call-id', 'name'),
  at: fc.nat(14),
  to: fc.nat(14),
  text: fc.constantFrom(...TEXTS, null, undefined),
  number: fc.constantFrom(0, 1, 2, undefined),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function changed(frames: readonly Frame[], changes: readonly Change[]): readonly Frame[] {
  const list = structuredClone([...frames]);
  for (const { at, kind, number, text, to } of changes) {
    const from = at % list.length;
    const frame = list[from];
    if (frame === undefined) continue;
    const { content_block: block, item } = frame;
    const named = block ?? item;
    const id = number === undefined ? undefined : `i${number}`;
    if (kind === 'double') list.splice(to % list.length, 0, structuredClone(frame));
    else if (kind === 'drop' || kind === 'move') {
      list.splice(from, 1);
      if (kind === 'move') list.splice(to % (list.length + 1), 0, frame);
    } else if (kind === 'place') {
      if (frame.output_index !== undefined) frame.output_index = number;
      if (frame.index !== undefined) frame.index = number;
    } else if (kind === 'id') {
      if (named === undefined) frame.item_id = id;
      else named.id = id;
    } else if (kind === 'call-id') {
      if (item !== undefined) item.call_id = id ?? '';
    } else if (kind === 'name') {
      if (named !== undefined) named.name = number === 1 ? '' : 'find';
    } else if (block !== undefined) block.input = JSON.parse(spelled(text) ?? '{}');
    else if (item !== undefined) item.arguments = text;
    else if ('arguments' in frame) frame.arguments = text;
    else if (typeof frame.delta === 'string') frame.delta = text ?? '';
    else if (frame.delta?.partial_json !== undefined) frame.delta.partial_json = text ?? '';
    else for (const last of frame.response?.output ?? []) last.arguments = text;
  }
  return list;
}

const ASKED = ['{"a":1}', '{"b":2}'] as const;
const halves = (text: string): readonly string[] => [text.slice(0, 4), text.slice(4)];

const WORD = 'response.function_call_arguments';
const called = (at: number, text: string): Item => ({
  type: 'function_call',
  id: `i${at}`,
  call_id: `c${at}`,
  name: 'find',
  arguments: text,
});
const RESPONSES: readonly Frame[] = [
  { type: 'response.created', response: { id: 'r', output: [] } },
  ...ASKED.flatMap((text, at): readonly Frame[] => [
    { type: 'response.output_item.added', output_index: at, item: called(at, '') },
    ...halves(text).map((delta) => ({ type: `${WORD}.delta`, output_index: at, item_id: `i${at}`, delta })),
    { type: `${WORD}.done`, output_index: at, item_id: `i${at}`, arguments: text },
    { type: 'response.output_item.done', output_index: at, item: called(at, text) },
  ]),
  {
    type: 'response.completed',
    response: { id: 'r', status: 'completed', output: ASKED.map((text, at) => called(at, text)) },
  },
];

const ANTHROPIC: readonly Frame[] = [
  { type: 'message_start', message: { id: 'm', model: 'up', role: 'assistant', content: [] } },
  ...ASKED.flatMap((text, index): readonly Frame[] => [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `i${index}`, name: 'find', input: {} },
    },
    ...halves(text).map((partial_json) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  { type: 'message_stop' },
];

type Understood = readonly (string | undefined)[];

/** Adds up the pieces of each call, by whatever tells the calls apart. */
function addedUp(frames: readonly Frame[], key: (frame: Frame) => unknown): Understood {
  const calls = new Map<unknown, string>();
  for (const frame of frames) {
    const { delta, item, type } = frame;
    if (type === 'response.output_item.added') calls.set(key(frame), item?.arguments ?? '');
    const before = calls.get(key(frame));
    if (type === `${WORD}.delta` && before !== undefined && typeof delta === 'string')
      calls.set(key(frame), before + delta);
  }
  // Pieces that never came are no arguments to anybody.
  return [...calls.values()].map((text) => (text.trim() === '' ? undefined : spelled(text)));
}

/** Reads each block when it ends, in the place where it stands, or where there is one place for all. */
function atStops(frames: readonly Frame[], placeOf: (frame: Frame) => unknown): Understood {
  const blocks = new Map<unknown, { readonly input: object | undefined; json: string }>();
  return frames.flatMap((frame) => {
    const { content_block: started, delta, type } = frame;
    const place = placeOf(frame);
    if (started !== undefined) blocks.set(place, { input: started.input, json: '' });
    const block = blocks.get(place);
    if (block === undefined) return [];
    if (typeof delta === 'object') block.json += delta.partial_json ?? '';
    if (type !== 'content_block_stop') return [];
    blocks.delete(place);
    return [block.json === '' ? JSON.stringify(block.input ?? {}) : spelled(block.json)];
  });
}

/** Ways in which clients read a stream. */
const CLIENTS: readonly (readonly [string, Protocol, (frames: readonly Frame[]) => Understood])[] = [
  [
    'the final form of an item',
    'openai-responses',
    (frames) =>
      frames.flatMap(({ item, type }) =>
        type === 'response.output_item.done' && item?.name ? [spelled(item.arguments)] : [],
      ),
  ],
  [
    'the output at the end',
    'openai-responses',
    (frames) =>
      frames.flatMap(({ response, type }) =>
        type === 'response.completed' ? (response?.output ?? []).map((item) => spelled(item.arguments)) : [],
      ),
  ],
  [
    'the end of the arguments',
    'openai-responses',
    (frames) => frames.flatMap((frame) => (frame.type === `${WORD}.done` ? [spelled(frame.arguments)] : [])),
  ],
  [
    'the pieces, by their place',
    'openai-responses',
    (frames) => addedUp(frames, ({ output_index }) => output_index),
  ],
  [
    'the pieces, by their item',
    'openai-responses',
    (frames) => addedUp(frames, ({ item, item_id }) => item?.id ?? item_id),
  ],
  ['blocks by their place', 'anthropic', (frames) => atStops(frames, ({ index }) => index)],
  ['one block at a time', 'anthropic', (frames) => atStops(frames, () => 0)],
];

describe.each(CLIENTS)('a client that reads %s of %s', (_, protocol, read) => {
  const frames = protocol === 'anthropic' ? ANTHROPIC : RESPONSES;

  test('understands both calls of a stream that is passed on', () => {
    const { judged = [], passed = [] } = pass(protocol, frames) ?? {};
    expect(judged).toEqual(ASKED);
    expect(read(passed)).toEqual(ASKED);
  });

  test('finds no call in what is passed on of an odd stream but those that somebody could look at', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const { judged = [], passed = [] } = pass(protocol, changed(frames, changes)) ?? {};
        const ends = passed.some(({ type }) => type === 'response.completed' || type === 'message_stop');
        if (!ends) return;
        for (const text of read(passed)) if (text !== undefined) expect(judged).toContain(text);
      }),
      { numRuns: 1_500 },
    );
  });
});

test('a call of Anthropic that begins within another block is written anew, in its turn', () => {
  const [start, first, ...rest] = ANTHROPIC;
  const second = rest.findIndex(({ type }) => type === 'content_block_start');
  const begin = rest[second];
  if (start === undefined || first === undefined || begin === undefined) throw new Error('no call');
  const { judged, passed } = pass('anthropic', [start, first, begin, ...rest.toSpliced(second, 1)]) ?? {};
  expect(judged).toEqual(ASKED);
  expect(passed).toEqual([start, first]);
});
