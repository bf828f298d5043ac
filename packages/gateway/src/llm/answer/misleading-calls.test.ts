import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../../test-support/ask-raw.ts';
import { PAIRS } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const piece = (...entries: readonly JsonObject[]): string => chunk({ tool_calls: entries });
const called = (name: string | undefined, text: string): JsonObject => ({
  type: 'function',
  function: name === undefined ? { arguments: text } : { name, arguments: text },
});
const END = [chunk({}, 'tool_calls'), 'data: [DONE]\n\n'];

interface Entry {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** What a client makes of a stream that adds up all texts of an entry, as several clients do. */
function addedUp(body: string): readonly string[] {
  const calls = new Map<number, string[]>();
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { choices } = JSON.parse(line.slice(6)) as {
      readonly choices: readonly { readonly delta: { readonly tool_calls?: readonly Entry[] } }[];
    };
    for (const entry of choices[0]?.delta.tool_calls ?? []) {
      const call = calls.get(entry.index) ?? ['', '', ''];
      calls.set(entry.index, call);
      [entry.id, entry.function?.name, entry.function?.arguments].forEach((text = '', at) => {
        call[at] += text;
      });
    }
  }
  return [...calls.values()].map((call) => call.join(' '));
}

const STREAMS: readonly (readonly [string, readonly string[]])[] = [
  [
    'says its name in every piece',
    [
      piece({ index: 0, id: 'c1', ...called('find', '{"path"') }),
      piece({ index: 0, ...called('find', ':"a"}') }),
    ],
  ],
  [
    'says its id in every piece',
    [
      piece({ index: 0, id: 'c1', ...called('find', '{"path"') }),
      piece({ index: 0, id: 'c1', ...called(undefined, ':"a"}') }),
    ],
  ],
  [
    'says both, and nothing else, again',
    [
      piece({ index: 0, id: 'c1', ...called('find', '{"path":"a"}') }),
      piece({ index: 0, id: 'c1', ...called('find', '') }),
    ],
  ],
  [
    'comes in two entries of one piece',
    [
      piece(
        { index: 0, id: 'c1', ...called('find', '{"path"') },
        { index: 0, id: 'c1', ...called(undefined, ':"a"}') },
      ),
    ],
  ],
  [
    'says no index',
    [piece({ id: 'c1', ...called('find', '{"path"') }), piece({ ...called(undefined, ':"a"}') })],
  ],
];

describe('a call in a stream of Chat Completions', () => {
  test.each(STREAMS)('that %s is the call that was judged for who adds its pieces up', async (_, pieces) => {
    await withRawProvider('openai-chat', [sendEvents([...pieces, ...END])], {}, async ({ url }) => {
      const { body } = await post(
        `${url}${surfacePath('openai-chat', true)}`,
        oddRequest('openai-chat', true),
      );
      expect(addedUp(body)).toEqual(['c1 find {"path":"a"}']);
      expect(callsOf(readAnswer('openai-chat', true, body))).toEqual([['find', '{"path":"a"}']]);
      expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    });
  });

  test.each(PAIRS.filter(([, backend]) => backend === 'openai-chat'))(
    'that says its name in every piece is one call for a client of %s before %s',
    async (surface, backend) => {
      const [, pieces = []] = STREAMS[0] ?? [];
      await withRawProvider(backend, [sendEvents([...pieces, ...END])], {}, async ({ url }) => {
        const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
        expect(callsOf(readAnswer(surface, true, body))).toEqual([['find', '{"path":"a"}']]);
      });
    },
  );

  test.each([': OPENROUTER PROCESSING\n\n', `data: ${JSON.stringify({ id: 'x', choices: [] })}\n\n`])(
    'is whole although pieces that say nothing come between: %j',
    async (nothing) => {
      for (const [, pieces] of STREAMS) {
        const sent = [...pieces, ...END].flatMap((each) => [nothing, each, nothing]);
        await withRawProvider('openai-chat', [sendEvents(sent)], {}, async ({ url }) => {
          const path = surfacePath('openai-chat', true);
          const { body } = await post(`${url}${path}`, oddRequest('openai-chat', true));
          const calls = callsOf(readAnswer('openai-chat', true, body));
          expect(calls).toContainEqual(['find', '{"path":"a"}']);
          expect(addedUp(body)).toHaveLength(calls.length);
        });
      }
    },
  );

  test('begins with its name although a text comes between its pieces, of which one says nothing', async () => {
    const pieces = [
      piece({ index: 0, id: 'c1', ...called('find', '{"path":"a"}') }),
      piece({ index: 0, ...called(undefined, '') }),
      chunk({ content: 'Look' }),
    ];
    for (const sent of [pieces, [...pieces, piece({ index: 0, ...called(undefined, '') })]]) {
      await withRawProvider('openai-chat', [sendEvents([...sent, ...END])], {}, async ({ url }) => {
        const path = surfacePath('openai-chat', true);
        const { body } = await post(`${url}${path}`, oddRequest('openai-chat', true));
        const first = body.split('\n').find((line) => line.includes('tool_calls":'));
        expect(first).toContain('"name":"find"');
        expect(body).toContain('Look');
        expect(addedUp(body)).toEqual(['c1 find {"path":"a"}']);
      });
    }
  });

  test.each(['tool_calls', 'length'])(
    'stands before the end of its answer, which comes with a text: %s',
    async (word) => {
      const pieces = [
        piece({ index: 0, id: 'c1', ...called('find', '{"path":"a"}') }),
        chunk({ content: 'Look' }, word),
      ];
      await withRawProvider(
        'openai-chat',
        [sendEvents([...pieces, 'data: [DONE]\n\n'])],
        {},
        async ({ url }) => {
          const path = surfacePath('openai-chat', true);
          const { body } = await post(`${url}${path}`, oddRequest('openai-chat', true));
          const lines = body.split('\n').filter((line) => line.startsWith('data: {'));
          const ends = lines.filter((line) => !line.includes('"finish_reason":null'));
          expect(ends).toEqual([lines.at(-1)]);
          expect(ends[0]).toContain(`"finish_reason":"${word}"`);
          expect(body).toContain('Look');
          expect(addedUp(body)).toEqual(word === 'length' ? [] : ['c1 find {"path":"a"}']);
        },
      );
    },
  );

  test('that says each thing once goes as it came', async () => {
    const pieces = [
      piece({ index: 0, id: 'c1', ...called('find', '') }),
      piece({ index: 0, ...called(undefined, '{"path":"a"}') }),
      ...END,
    ];
    await withRawProvider('openai-chat', [sendEvents(pieces)], {}, async ({ url }) => {
      const { body } = await post(
        `${url}${surfacePath('openai-chat', true)}`,
        oddRequest('openai-chat', true),
      );
      expect(body).toBe(pieces.join(''));
    });
  });
});
