import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf, modelResponse } from '../../test-support/arbitraries.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { createSseParser } from '../sse/sse-parser.ts';
import { openaiResponses } from './openai-responses.ts';

interface WireEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly content_index?: number;
  readonly item_id?: string;
  readonly item?: { readonly id: string; readonly type: string; readonly status?: string };
  readonly response?: {
    readonly status: string;
    readonly output: readonly { readonly id?: string; readonly status?: string }[];
  };
}

function encode(events: readonly ModelEvent[]): readonly WireEvent[] {
  const encoder = openaiResponses.encodeStream();
  const text = events.map((event) => encoder.push(event)).join('');
  return createSseParser()
    .push(new TextEncoder().encode(text))
    .map((item) => {
      if (item.kind !== 'message') throw new Error('a fault');
      const event = JSON.parse(item.data);
      expect(item.event).toBe(event.type);
      return event;
    });
}

/** Holds events against the life of the wire's stream: what is opened, extended and closed, and in which order. */
function checkGrammar(events: readonly WireEvent[]): void {
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events.slice(0, 2).map((event) => event.type)).toEqual(['response.created', 'response.in_progress']);
  expect(events.at(-1)?.type).toMatch(/^response\.(completed|incomplete|failed)$/);
  const open = new Map<number, string>();
  const parts = new Set<string>();
  let next = 0;
  for (const event of events.slice(2, -1)) {
    const place = event.output_index ?? -1;
    const part = `${place}/${event.content_index}`;
    if (event.type === 'response.output_item.added') {
      expect(place).toBe(next);
      next += 1;
      open.set(place, event.item?.id ?? '');
    } else if (event.type === 'response.output_item.done') {
      expect(open.get(place)).toBe(event.item?.id);
      open.delete(place);
      for (const one of parts) expect(one.startsWith(`${place}/`)).toBe(false);
    } else {
      expect(event.item_id).toBe(open.get(place));
      if (event.type === 'response.content_part.added') parts.add(part);
      else if (event.type === 'response.content_part.done') expect(parts.delete(part)).toBe(true);
      else if (/output_text|refusal|reasoning_text/.test(event.type)) expect(parts.has(part)).toBe(true);
    }
  }
  const last = events.at(-1)?.response;
  expect(last?.output.length).toBe(next);
  const unfinished = last?.output.filter((item) => item.status === 'incomplete').map((item) => item.id);
  expect([...open.values()]).toEqual(unfinished);
}

test('every stream follows the life of the wire', () => {
  fc.assert(
    fc.property(
      modelResponse().chain((response) => eventsOf(response)),
      (events) => checkGrammar(encode(events)),
    ),
    { numRuns: 300 },
  );
});

describe('endings', () => {
  const start: ModelEvent = { kind: 'response-start', id: 'resp_1', model: 'm' };
  const opened: ModelEvent = { kind: 'call-start', index: 0, callId: 'c1', name: 'f' };
  const closed: ModelEvent = { kind: 'call-end', index: 0, callId: 'c1', name: 'f', arguments: '' };

  test.each<[string, readonly ModelEvent[], object]>([
    ['a clean stop', [{ kind: 'response-end', finish: 'stop' }], { status: 'completed' }],
    [
      'a cut at the length',
      [{ kind: 'response-end', finish: 'length' }],
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    ],
    [
      'a filter',
      [{ kind: 'response-end', finish: 'content-filter' }],
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    ],
    [
      'a refusal without words',
      [{ kind: 'response-end', finish: 'refusal' }],
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    ],
    [
      'a cut with whole calls',
      [opened, closed, { kind: 'response-end', finish: 'length' }],
      { status: 'incomplete' },
    ],
    [
      'a stop with an unfinished call',
      [opened, { kind: 'response-end', finish: 'stop' }],
      { status: 'incomplete', output: [{ status: 'incomplete' }] },
    ],
    [
      'a failure',
      [{ kind: 'response-error', code: 'model/timeout', message: 'x' }],
      { status: 'failed', error: { code: 'timeout' } },
    ],
  ])('%s', (_name, events, expected) => {
    expect(encode([start, ...events]).at(-1)?.response).toMatchObject(expected);
  });

  test('an unfinished call is never announced as done', () => {
    const types = encode([
      start,
      opened,
      { kind: 'call-delta', index: 0, delta: '{' },
      { kind: 'response-end', finish: 'length' },
    ]).map(({ type }) => type);
    expect(types).not.toContain('response.output_item.done');
    expect(types).not.toContain('response.function_call_arguments.done');
  });

  test('unknown counts are left out and reported, not 0', () => {
    const encoder = openaiResponses.encodeStream();
    const usage = { inputTotal: null, cacheRead: null, cacheWrite: null, outputTotal: 5, reasoning: null };
    encoder.push(start);
    encoder.push({ kind: 'usage', usage });
    expect(encoder.push({ kind: 'response-end', finish: 'stop' })).not.toContain('"usage"');
    expect(encoder.losses).toContainEqual(expect.objectContaining({ code: 'dropped', path: '/usage' }));
  });
});
