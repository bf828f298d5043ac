import fc from 'fast-check';
import type { ContentPart, Item, ReasoningItem } from '../src/call/item.ts';
import { PROTOCOLS } from '../src/call/protocol.ts';

const ids = fc.constantFrom('a', 'b', 'c', '', 'null', 'functions.x:0', 'x'.repeat(70), 'call\n1');
const names = fc.constantFrom('add', 'get_weather');
const words = fc.constantFrom('hello', '', ' ', 'Grüße 😀', '\n');
const parts: fc.Arbitrary<readonly ContentPart[]> = fc.array(
  fc.oneof(
    words.map((text): ContentPart => ({ kind: 'text', text })),
    fc.constant<ContentPart>({
      kind: 'image',
      source: { kind: 'base64', mediaType: 'image/png', data: 'AA==' },
    }),
  ),
  { maxLength: 2 },
);

const message: fc.Arbitrary<Item> = fc.record({
  kind: fc.constant('message' as const),
  role: fc.constantFrom('user' as const, 'user' as const, 'assistant' as const, 'system' as const),
  parts,
});

const call: fc.Arbitrary<Item> = fc.record({
  kind: fc.constant('tool-call' as const),
  callId: ids,
  name: names,
  arguments: fc.constantFrom('{}', '{"a":1}', '', '{', '[]', '"{}"', '{"a":1,"a":2}'),
});

const result: fc.Arbitrary<Item> = fc.record({
  kind: fc.constant('tool-result' as const),
  callId: ids,
  name: names,
  parts,
});

const reasoning: fc.Arbitrary<Item> = fc
  .record({
    protocol: fc.constantFrom(...PROTOCOLS),
    form: fc.constantFrom('signature' as const, 'encrypted' as const, undefined),
    value: fc.constant('c2ln'),
  })
  .map(({ protocol, form, value }): ReasoningItem => {
    return {
      kind: 'reasoning',
      text: 'hm',
      ...(form === undefined ? {} : { opaque: { protocol, form, value } }),
    };
  });

const foreign: fc.Arbitrary<Item> = fc.constantFrom(...PROTOCOLS).map((protocol) => ({
  kind: 'foreign',
  protocol,
  role: 'assistant',
  value: { type: 'custom', id: 'a', executableCode: { code: '1' } },
}));

/** Any sequence of items whatever: calls without results, results without calls, ids used again, empty text. */
export const anyHistory: fc.Arbitrary<readonly Item[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: message },
    { weight: 4, arbitrary: call },
    { weight: 4, arbitrary: result },
    reasoning,
    foreign,
  ),
  { maxLength: 14 },
);
