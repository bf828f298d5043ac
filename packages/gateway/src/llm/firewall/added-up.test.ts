import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withGateway } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, startRawProvider } from '../../../test-support/raw-provider.ts';
import { basePath, oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

interface Delta {
  readonly content?: string;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly function?: { readonly name?: string; readonly arguments?: string };
  }[];
}

const GOOD = '{"path":"a"}';
const said = fc.oneof(
  fc.record({ kind: fc.constant('comment' as const) }),
  fc.record({ kind: fc.constant('text' as const) }),
  fc.record({ kind: fc.constant('thought' as const) }),
  fc.record({
    kind: fc.constant('call' as const),
    name: fc.constantFrom('find', 'find', 'delete_db'),
    arguments: fc.constantFrom(GOOD, GOOD, '{"path":7}'),
    /** Where its pieces are parted: the last place leaves an empty one. */
    cut: fc.constantFrom(0, 5, GOOD.length),
  }),
);
const answer = fc.record({
  parts: fc.array(said, { maxLength: 6 }),
  word: fc.constantFrom('stop', 'tool_calls', 'length'),
  together: fc.boolean(),
  counts: fc.boolean(),
});

const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish: string | null): string =>
  sse({
    id: 'r',
    object: 'chat.completion.chunk',
    model: 'up',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

function streamOf({ counts, parts, together, word }: Answer): readonly string[] {
  let calls = 0;
  const deltas = parts.flatMap((part): readonly (object | string)[] => {
    if (part.kind === 'comment') return [': wait\n\n'];
    if (part.kind === 'text') return [{ content: 'x' }];
    if (part.kind === 'thought') return [{ reasoning_content: 'h' }];
    const index = calls++;
    const { arguments: text, cut, name } = part;
    return [
      {
        tool_calls: [
          { index, id: `id${index}`, type: 'function', function: { name, arguments: text.slice(0, cut) } },
        ],
      },
      { tool_calls: [{ index, function: { arguments: text.slice(cut) } }] },
    ];
  });
  const last = deltas.at(-1);
  const joined = together && typeof last === 'object';
  const pieces = deltas.map((delta, at) =>
    typeof delta === 'string' ? delta : chunk(delta, joined && at === deltas.length - 1 ? word : null),
  );
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces,
    ...(joined ? [] : [chunk({}, word)]),
    ...(counts ? [sse({ id: 'r', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })] : []),
    'data: [DONE]\n\n',
  ];
}

/** What a client makes of a stream that takes each thing as it comes. */
function addedUp(body: string) {
  const calls: { id: string; name: string; text: string }[] = [];
  const words: string[] = [];
  let text = '';
  const lines = body.split('\n').filter((line) => line.startsWith('data: '));
  expect(lines.pop()).toBe('data: [DONE]');
  for (const line of lines) {
    const { choices } = JSON.parse(line.slice(6)) as {
      readonly choices: readonly { readonly delta: Delta; readonly finish_reason: string | null }[];
    };
    const [choice] = choices;
    if (choice === undefined) continue;
    // Nothing is said behind the end.
    expect(words).toEqual([]);
    text += choice.delta.content ?? '';
    for (const entry of choice.delta.tool_calls ?? []) {
      const { arguments: more = '', name } = entry.function ?? {};
      // A call begins with all of its names, at the next place, and they are not said again.
      if (entry.index === calls.length) calls.push({ id: entry.id ?? '', name: name ?? '', text: '' });
      else expect([entry.id, name]).toEqual([undefined, undefined]);
      const call = calls[entry.index];
      expect(call?.name).toBe('find');
      if (call !== undefined) call.text += more;
    }
    if (choice.finish_reason !== null) words.push(choice.finish_reason);
  }
  return { calls: calls.map((call) => call.text), ids: new Set(calls.map(({ id }) => id)).size, text, words };
}

test('whatever comes between the pieces of calls, clients add an answer of Chat up to what was judged', async () => {
  let pieces: readonly string[] = [];
  const provider = await startRawProvider((response, request) => sendEvents(pieces)(response, request));
  const setup = {
    providers: {
      m: { protocol: 'openai-chat' as const, baseUrl: `${provider.origin}${basePath('openai-chat')}` },
    },
  };
  await withGateway(setup, async ({ url }) => {
    const property = fc.asyncProperty(answer, async (given) => {
      pieces = streamOf(given);
      const path = surfacePath('openai-chat', true);
      const { body } = await post(`${url}${path}`, oddRequest('openai-chat', true));
      const isCut = given.word === 'length';
      const good = given.parts.filter(
        (part) => part.kind === 'call' && part.name === 'find' && part.arguments === GOOD,
      );
      const { calls, ids, text, words } = addedUp(body);
      expect(calls).toEqual(isCut ? [] : good.map(() => GOOD));
      expect(ids).toBe(calls.length);
      expect(text.replaceAll(/\[toolgate\][^)]*\)\.|\s/g, '')).toBe(
        'x'.repeat(given.parts.filter(({ kind }) => kind === 'text').length),
      );
      if (isCut || calls.length > 0) expect(words).toEqual([isCut ? 'length' : 'tool_calls']);
      else expect(words).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 150 });
  });
  await provider.close();
});
