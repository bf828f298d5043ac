import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf, modelCall, modelResponse } from '../../test-support/arbitraries.ts';
import { differences, unexplained } from '../../test-support/differences.ts';
import type { ModelCall } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import type { Codec } from './codec.ts';

const CODECS: readonly [string, Codec][] = [
  ['openai-chat', openaiChat],
  ['openai-responses', openaiResponses],
];

const utf8 = new TextEncoder();

function callThrough(codec: Codec, call: ModelCall) {
  const wire = codec.encodeRequest(call);
  const body = JSON.parse(JSON.stringify(wire.value.body));
  const back = codec.decodeRequest(body);
  return { call: back.value, losses: [...wire.losses, ...back.losses] };
}

function responseThrough(codec: Codec, response: ModelResponse) {
  const wire = codec.encodeResponse(response);
  const back = codec.decodeResponse(JSON.parse(JSON.stringify(wire.value)));
  return { response: back.value, losses: [...wire.losses, ...back.losses] };
}

function eventsThrough(codec: Codec, events: readonly ModelEvent[]) {
  const encoder = codec.encodeStream({ includeUsage: true });
  const decoder = codec.decodeStream();
  const text = events.map((event) => encoder.push(event)).join('');
  const back = [...decoder.push(utf8.encode(text)), ...decoder.end()];
  return { events: back, losses: [...encoder.losses, ...decoder.losses] };
}

describe.each(CODECS)('%s', (_name, codec) => {
  test('a call comes back equal but for its losses', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const back = callThrough(codec, call);
        expect(unexplained(differences(call, back.call), back.losses)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('what was decoded comes back without a loss that changes its meaning', () => {
    fc.assert(
      fc.property(modelCall(), (call) => {
        const first = callThrough(codec, call).call;
        const again = callThrough(codec, first);
        expect(unexplained(differences(first, again.call), again.losses)).toEqual([]);
        expect(again.losses.filter((loss) => loss.severity !== 'info')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('a response comes back equal but for its losses', () => {
    fc.assert(
      fc.property(modelResponse(), (response) => {
        const back = responseThrough(codec, response);
        expect(unexplained(differences(response, back.response), back.losses)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('a streamed response is the whole response', () => {
    fc.assert(
      fc.property(
        modelResponse().chain((response) => fc.tuple(fc.constant(response), eventsOf(response))),
        ([response, events]) => {
          const back = eventsThrough(codec, events);
          const order = createEventOrder();
          for (const event of back.events) order.push(event);
          order.end();
          expect(collectResponse(back.events)).toEqual(responseThrough(codec, response).response);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('chat and responses carry each other without a silent loss', () => {
  const pairs: readonly [Codec, Codec][] = [
    [openaiChat, openaiResponses],
    [openaiResponses, openaiChat],
  ];
  fc.assert(
    fc.property(modelCall(), fc.constantFrom(...pairs), (call, [from, to]) => {
      const sent = callThrough(from, call).call;
      const back = callThrough(to, sent);
      expect(unexplained(differences(sent, back.call), back.losses)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
