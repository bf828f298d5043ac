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
import type { ModelResponse } from '../call/model-response.ts';
import type { WireRequest } from '../codec/codec.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { gemini } from './gemini.ts';
import { readGeminiPath } from './gemini-path.ts';

const encoder = new TextEncoder();

function decodeStream(text: string): readonly ModelEvent[] {
  const decoder = gemini.decodeStream();
  return [...decoder.push(encoder.encode(text)), ...decoder.end()];
}

function decode({ body, path }: WireRequest) {
  return gemini.decodeRequest(JSON.parse(JSON.stringify(body)), readGeminiPath(path));
}

describe('what comes back through Gemini generateContent', () => {
  test('a request is equal, or the difference is a loss', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const encoded = gemini.encodeRequest(call);
        const decoded = decode(encoded.value);
        const losses = [...encoded.losses, ...decoded.losses];
        expect(unexplained(differences(call, decoded.value), losses)).toEqual([]);
      }),
      propertyRuns(120),
    );
  });

  test('what a client of this protocol sent is equal on the second way', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const first = decode(gemini.encodeRequest(call).value).value;
        const again = gemini.encodeRequest(first);
        expect(decode(again.value).value).toEqual(first);
        expect(again.losses.filter(({ severity }) => severity !== 'info')).toEqual([]);
      }),
      propertyRuns(80),
    );
  });

  test('a whole answer is equal, or the difference is a loss', () => {
    fc.assert(
      fc.property(modelResponse(objectArguments), (response) => {
        const encoded = gemini.encodeResponse(response);
        const decoded = gemini.decodeResponse(JSON.parse(JSON.stringify(encoded.value)));
        const losses = [...encoded.losses, ...decoded.losses];
        expect(unexplained(differences(response, decoded.value), losses)).toEqual([]);
      }),
      propertyRuns(120),
    );
  });

  test('a streamed answer is the whole answer, in a legal order', () => {
    const whole = modelResponse(objectArguments).filter(({ incomplete }) => incomplete === undefined);
    fc.assert(
      fc.property(
        whole.chain((response) => fc.tuple(fc.constant(response), eventsOf(response))),
        ([response, events]) => {
          const stream = gemini.encodeStream();
          const decoded = decodeStream(events.map((event) => stream.push(event)).join(''));
          const order = createEventOrder();
          for (const event of decoded) order.push(event);
          order.end();
          const { value } = gemini.encodeResponse(response);
          const { value: expected } = gemini.decodeResponse(JSON.parse(JSON.stringify(value)));
          expect(normal(collectResponse(decoded))).toEqual(normal(expected));
        },
      ),
      propertyRuns(120),
    );
  });

  test('a call that was not finished is in no answer, whole or streamed', () => {
    const cut = modelResponse(argumentText).filter(({ incomplete }) => incomplete !== undefined);
    fc.assert(
      fc.property(cut, (response) => {
        const stream = gemini.encodeStream();
        const events = responseToEvents(response);
        const decoded = collectResponse(decodeStream(events.map((event) => stream.push(event)).join('')));
        const calls = decoded.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
        for (const callId of response.incomplete ?? []) expect(calls).not.toContain(callId);
        expect(decoded.incomplete ?? []).toEqual(calls);
      }),
    );
  });
});

/** Argument text of a whole answer is made from an object; neighbouring texts of a stream are one. */
function normal(response: ModelResponse): ModelResponse {
  return {
    ...response,
    items: response.items.map((item): Item => {
      if (item.kind === 'tool-call')
        return { ...item, arguments: JSON.stringify(JSON.parse(item.arguments)) };
      if (item.kind !== 'message') return item;
      const text = item.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
      return { ...item, parts: [{ kind: 'text', text }] };
    }),
  };
}
