import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** What a client of Anthropic is told of blocks, in order: their starts and stops, by their indexes. */
function blocksOf(body: string): readonly string[] {
  return body.split('\n').flatMap((line) => {
    if (!line.startsWith('data: ')) return [];
    const event = JSON.parse(line.slice(6)) as {
      readonly type: string;
      readonly index?: number;
      readonly content_block?: { readonly type: string };
    };
    if (event.type === 'content_block_start') return [`${event.index} ${event.content_block?.type}`];
    return event.type === 'content_block_stop' ? [`${event.index} stop`] : [];
  });
}

type Block = readonly [start: object, ...deltas: object[]];
const USE = (id: string, name = 'find'): object => ({ type: 'tool_use', id, name, input: {} });
const INPUT = { type: 'input_json_delta', partial_json: '{"path":"a"}' };
const GOOD: Block = [USE('c1'), INPUT];
const NO_INPUT: Block = [{ ...USE('c1'), input: { path: 'a' } }];
const BAD: Block = [USE('c2', 'rm'), INPUT];
const TEXT: Block = [
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'Look' },
];
const REDACTED: Block = [{ type: 'redacted_thinking', data: 'x' }];
const EMPTY: Block = [{ type: 'thinking', thinking: '', signature: '' }];
const OMITTED: Block = [
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'signature_delta', signature: 's' },
];

function streamOf(blocks: readonly Block[], word: string): readonly string[] {
  return [
    {
      type: 'message_start',
      message: { id: 'm', model: 'up', role: 'assistant', content: [], usage: { input_tokens: 3 } },
    },
    ...blocks.flatMap(([start, ...deltas], index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: word }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const typed = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(([start], index) => {
    const { name, type } = start as { readonly name?: string; readonly type: string };
    return [`${index} ${name === 'rm' ? 'text' : type}`, `${index} stop`];
  });

test.each<[string, string, readonly Block[]]>([
  ['a text between a call and one that is withheld', 'tool_use', [GOOD, TEXT, BAD]],
  ['the same behind thoughts', 'tool_use', [REDACTED, OMITTED, NO_INPUT, TEXT, BAD, TEXT]],
  ['an empty thought before one', 'tool_use', [EMPTY, BAD]],
  ['a text behind a call, and an untrue end', 'end_turn', [GOOD, TEXT]],
  ['two calls, and an untrue end', 'end_turn', [TEXT, GOOD, [USE('c3'), INPUT]]],
  ['thoughts and a call without pieces, and an untrue end', 'end_turn', [EMPTY, REDACTED, NO_INPUT, TEXT]],
])(
  'each block of an answer that is written anew within it begins and stops once: %s',
  async (_, word, blocks) => {
    await withRawProvider('anthropic', [sendEvents(streamOf(blocks, word))], {}, async ({ url }) => {
      const { body } = await post(`${url}${surfacePath('anthropic', true)}`, oddRequest('anthropic', true));
      expect(blocksOf(body)).toEqual(typed(blocks));
      expect(body).toContain(
        blocks.includes(GOOD) || blocks.includes(NO_INPUT) ? '"tool_use"' : '"end_turn"',
      );
    });
  },
);

test.each<[string, Block]>([
  ['a redacted thought', REDACTED],
  ['an omitted thought', OMITTED],
  ['an empty thought', EMPTY],
])('%s of an answer that goes on in a hidden round begins and stops once', async (_, thought) => {
  const done: Block = [
    { type: 'tool_use', id: 'd', name: 'attempt_completion', input: {} },
    { type: 'input_json_delta', partial_json: '{"result":"Done."}' },
  ];
  const answers = [streamOf([thought], 'end_turn'), streamOf([done], 'tool_use')].map((each) =>
    sendEvents(each),
  );
  const routes = [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      control: { tool: 'attempt_completion' as const },
    },
  ];
  await withRawProvider('anthropic', answers, { routes }, async ({ url }) => {
    const { body } = await post(`${url}${surfacePath('anthropic', true)}`, oddRequest('anthropic', true));
    const blocks = blocksOf(body);
    expect(blocks).toEqual(
      typed(blocks.filter((each) => !each.endsWith('stop')).map((each) => [{ type: each.slice(2) }])),
    );
    expect(body).toContain('Done.');
  });
});
