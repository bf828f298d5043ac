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
import type { ModelResponse } from '../call/model-response.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { anthropic } from './anthropic.ts';

const encoder = new TextEncoder();

function decodeStream(text: string): readonly ModelEvent[] {
  const decoder = anthropic.decodeStream();
  return [...decoder.push(encoder.encode(text)), ...decoder.end()];
}

describe('what comes back through Anthropic Messages', () => {
  test('a request is equal, or the difference is a loss', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const encoded = anthropic.encodeRequest(call);
        const decoded = anthropic.decodeRequest(JSON.parse(JSON.stringify(encoded.value.body)));
        const losses = [...encoded.losses, ...decoded.losses];
        expect(unexplained(differences(call, decoded.value), losses)).toEqual([]);
      }),
      propertyRuns(120),
    );
  });

  test('what a client of this protocol sent is equal on the second way', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const first = anthropic.decodeRequest({ ...anthropic.encodeRequest(call).value.body }).value;
        const again = anthropic.encodeRequest(first);
        expect(anthropic.decodeRequest({ ...again.value.body }).value).toEqual(first);
        expect(again.losses.filter(({ severity }) => severity !== 'info')).toEqual([]);
      }),
      propertyRuns(80),
    );
  });

  test('a whole answer is equal, or the difference is a loss', () => {
    fc.assert(
      fc.property(modelResponse(objectArguments), (response) => {
        const encoded = anthropic.encodeResponse(response);
        const decoded = anthropic.decodeResponse(JSON.parse(JSON.stringify(encoded.value)));
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
          const stream = anthropic.encodeStream();
          const decoded = decodeStream(events.map((event) => stream.push(event)).join(''));
          const order = createEventOrder();
          for (const event of decoded) order.push(event);
          order.end();
          const { value } = anthropic.encodeResponse(response);
          const { value: expected } = anthropic.decodeResponse(JSON.parse(JSON.stringify(value)));
          expect(normal(collectResponse(decoded))).toEqual(normal(expected));
        },
      ),
      propertyRuns(120),
    );
  });

  test('a call that was not finished stays open in a stream and is in no whole answer', () => {
    const cut = modelResponse(argumentText).filter(({ incomplete }) => incomplete !== undefined);
    fc.assert(
      fc.property(cut, (response) => {
        const stream = anthropic.encodeStream();
        const events = responseToEvents(response);
        const decoded = collectResponse(decodeStream(events.map((event) => stream.push(event)).join('')));
        const calls = response.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
        expect(decoded.incomplete).toEqual(calls);
        expect(decoded.finish).toBe(response.finish);
      }),
    );
  });
});

/** Argument text of a whole answer is made from an object; a stream keeps it as the model wrote it. */
function normal(response: ModelResponse): ModelResponse {
  return {
    ...response,
    items: response.items.map((item) =>
      item.kind === 'tool-call' ? { ...item, arguments: JSON.stringify(JSON.parse(item.arguments)) } : item,
    ),
  };
}
