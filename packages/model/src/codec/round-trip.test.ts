import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import {
  argumentText,
  eventsOf,
  modelCall,
  modelResponse,
  objectArguments,
} from '../../test-support/arbitraries.ts';
import { differences, unexplained } from '../../test-support/differences.ts';
import type { Item } from '../call/item.ts';
import type { ModelCall } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Codec } from './codec.ts';
import { codecOf } from './codecs.ts';
import type { Loss } from './loss.ts';

interface Through<Value> {
  readonly value: Value;
  readonly losses: readonly Loss[];
}

const utf8 = new TextEncoder();

/** JSON as it comes over the wire. */
function overWire<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

function callThrough(codec: Codec, call: ModelCall): Through<ModelCall> {
  const { value, losses } = codec.encodeRequest(call);
  const streams = value.path.includes('streamGenerateContent') ? { stream: true } : {};
  const back = codec.decodeRequest(overWire(value.body), { model: call.model, ...streams });
  return { value: back.value, losses: [...losses, ...back.losses] };
}

function responseThrough(codec: Codec, response: ModelResponse): Through<ModelResponse> {
  const { value, losses } = codec.encodeResponse(response);
  const back = codec.decodeResponse(overWire(value));
  return { value: back.value, losses: [...losses, ...back.losses] };
}

function eventsThrough(codec: Codec, events: readonly ModelEvent[]): Through<readonly ModelEvent[]> {
  const encoder = codec.encodeStream({ includeUsage: true });
  const decoder = codec.decodeStream();
  const text = events.map((event) => encoder.push(event)).join('');
  const value = [...decoder.push(utf8.encode(text)), ...decoder.end()];
  const order = createEventOrder();
  for (const event of value) order.push(event);
  order.end();
  return { value, losses: [...encoder.losses, ...decoder.losses] };
}

/** What may never change, whatever the losses say: which calls there are, and which results. */
function pairing(items: readonly Item[]): object {
  const calls = items.flatMap((item) =>
    item.kind === 'tool-call'
      ? [{ callId: item.callId, name: item.name, arguments: JSON.parse(item.arguments || '{}') }]
      : [],
  );
  const results = items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
  return { calls, results: results.sort() };
}

/** All words of the model, in order; some wires have no other form for a refusal than text. */
function words(items: readonly Item[]): string {
  return items
    .flatMap((item) => (item.kind === 'message' ? item.parts : []))
    .flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : []))
    .join('')
    .replaceAll(/\s/g, '');
}

/** The answer without the calls that were not finished: wires that hold arguments as JSON cannot hold those. */
function finished(response: ModelResponse): ModelResponse {
  const { incomplete = [], ...rest } = response;
  const items = rest.items.filter((item) => item.kind !== 'tool-call' || !incomplete.includes(item.callId));
  return { ...rest, items };
}

/** The same with neighbouring texts joined: in a stream of Gemini, a piece of a text and a text look alike. */
function joined(response: ModelResponse): ModelResponse {
  const items = finished(response).items.map((item): Item => {
    if (item.kind !== 'message' || !item.parts.every((part) => part.kind === 'text')) return item;
    return { ...item, parts: [{ kind: 'text', text: item.parts.map((part) => part.text).join('') }] };
  });
  return { ...finished(response), items };
}

const PAIRS: readonly [Protocol, Protocol][] = PROTOCOLS.flatMap((from) => {
  return PROTOCOLS.filter((to) => to !== from).map((to): [Protocol, Protocol] => [from, to]);
});

test('there are twelve ordered pairs', () => {
  expect(PAIRS).toHaveLength(12);
});

describe.each(PROTOCOLS)('%s alone', (protocol) => {
  const codec = codecOf(protocol);
  // OpenAI carries arguments as text, so that also what is no object comes back as it was.
  const text = protocol.startsWith('openai') ? argumentText : objectArguments;

  test('a call comes back equal but for its losses', () => {
    fc.assert(
      fc.property(modelCall(text), (call) => {
        const back = callThrough(codec, call);
        expect(unexplained(differences(call, back.value), back.losses)).toEqual([]);
        expect(pairing(back.value.items)).toEqual(pairing(call.items));
      }),
      propertyRuns(60),
    );
  });

  test('a response comes back equal but for its losses, streamed or whole', () => {
    fc.assert(
      fc.property(
        modelResponse(text).chain((response) => fc.tuple(fc.constant(response), eventsOf(response))),
        ([response, events]) => {
          const whole = responseThrough(codec, response);
          expect(unexplained(differences(response, whole.value), whole.losses)).toEqual([]);
          const normal = protocol === 'gemini' ? joined : finished;
          expect(normal(collectResponse(eventsThrough(codec, events).value))).toEqual(normal(whole.value));
        },
      ),
      propertyRuns(60),
    );
  });
});

describe.each(PAIRS)('%s to %s', (fromName, toName) => {
  const from = codecOf(fromName);
  const to = codecOf(toName);

  test('a call that a client sent comes back from the other wire equal but for its losses', () => {
    fc.assert(
      fc.property(modelCall(objectArguments), (call) => {
        const sent = callThrough(from, call).value;
        const back = callThrough(to, sent);
        expect(unexplained(differences(sent, back.value), back.losses)).toEqual([]);
        expect(pairing(back.value.items)).toEqual(pairing(sent.items));
      }),
      propertyRuns(60),
    );
  });

  test('an answer that a provider gave comes back from the other wire equal but for its losses', () => {
    fc.assert(
      fc.property(modelResponse(objectArguments), (response) => {
        const given = responseThrough(from, response).value;
        const back = responseThrough(to, given);
        expect(unexplained(differences(given, back.value), back.losses)).toEqual([]);
        // Of a cut answer, some wires count no call as finished.
        const cut = given.finish === 'length' || given.finish === 'content-filter';
        if (!cut) expect(pairing(back.value.items)).toEqual(pairing(given.items));
        expect(words(back.value.items)).toBe(words(given.items));
      }),
      propertyRuns(60),
    );
  });

  test('a stream carries over what the whole answer does', () => {
    fc.assert(
      fc.property(
        modelResponse(objectArguments).chain((response) => eventsOf(response)),
        (events) => {
          const given = eventsThrough(from, events).value;
          const streamed = collectResponse(eventsThrough(to, given).value);
          const whole = responseThrough(to, collectResponse(given)).value;
          const normal = toName === 'gemini' ? joined : finished;
          expect(normal(streamed)).toEqual(normal(whole));
        },
      ),
      propertyRuns(60),
    );
  });
});
