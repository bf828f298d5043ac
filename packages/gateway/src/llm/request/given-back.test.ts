import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import { surfacePath } from '../../../test-support/wire-samples.ts';

/** What servers of Chat Completions want to see again with their calls. */
const ASKED = { path: 'a' };
const CALL = {
  index: 0,
  id: 'functions.find:0',
  type: 'function',
  function: { name: 'find', arguments: '{"path": "a"}' },
};
const SIGNED = { ...CALL, extra_content: { google: { thought_signature: 'SIG' } } };

function answer(stream: boolean, message: JsonObject): RawAnswer {
  const envelope = { id: 'c', created: 1, model: 'up' };
  if (!stream)
    return sendJson(
      JSON.stringify({
        ...envelope,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: { role: 'assistant', content: null, ...message },
          },
        ],
      }),
    );
  const chunk = (delta: JsonObject, finish: string | null): string =>
    `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return sendEvents([
    chunk({ role: 'assistant', ...message }, null),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ]);
}

/** The requests of a conversation that begins with some words, before and after the call. */
function bodies(surface: Protocol, stream: boolean, words: string): readonly [JsonObject, JsonObject] {
  const id = CALL.id;
  if (surface === 'anthropic') {
    const asked = {
      model: 'm',
      max_tokens: 50,
      stream,
      tools: [{ name: 'find', input_schema: { type: 'object' } }],
    };
    const user = { role: 'user', content: words };
    const called = { role: 'assistant', content: [{ type: 'tool_use', id, name: 'find', input: ASKED }] };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }] };
    return [
      { ...asked, messages: [user] },
      { ...asked, messages: [user, called, result] },
    ];
  }
  const asked = {
    model: 'm',
    stream,
    tools: [{ type: 'function', name: 'find', parameters: { type: 'object' } }],
  };
  const user = { role: 'user', content: words };
  const called = { type: 'function_call', call_id: id, name: 'find', arguments: JSON.stringify(ASKED) };
  const result = { type: 'function_call_output', call_id: id, output: 'r' };
  return [
    { ...asked, input: [user] },
    { ...asked, input: [user, called, result] },
  ];
}

/** The assistant's message in the last request that the provider gets. */
async function sentBack(
  surface: Protocol,
  stream: boolean,
  message: JsonObject,
  asked: readonly JsonObject[],
) {
  return withRawProvider('openai-chat', [answer(stream, message)], {}, async ({ url }, provider) => {
    for (const body of asked) await post(`${url}${surfacePath(surface, stream)}`, JSON.stringify(body));
    const last = JSON.parse(provider.requests.at(-1)?.body.toString() ?? '') as { messages: JsonObject[] };
    return last.messages.find(({ role }) => role === 'assistant');
  });
}

test('a strict route takes a thought that its client was shown for the one that is put back', async () => {
  const routes = [{ model: 'm', strict: true, candidates: [{ provider: 'm', model: undefined }] }];
  const [first, next] = bodies('anthropic', false, 'hi');
  const message = { reasoning_content: 'hm', tool_calls: [CALL] };
  await withRawProvider('openai-chat', [answer(false, message)], { routes }, async ({ url }, provider) => {
    const address = `${url}${surfacePath('anthropic', false)}`;
    const { body } = await post(address, JSON.stringify(first));
    const { content } = JSON.parse(body) as { content: JsonObject[] };
    expect(content).toMatchObject([{ type: 'thinking', thinking: 'hm' }, { type: 'tool_use' }]);
    const messages = (next['messages'] as JsonObject[]).map((each) =>
      each['role'] === 'assistant' ? { ...each, content } : each,
    );
    expect((await post(address, JSON.stringify({ ...next, messages }))).status).toBe(200);
    const sent = provider.requests.at(-1)?.body.toString() ?? '';
    expect(sent.match(/hm/g)).toHaveLength(1);
    expect(sent).toContain('"reasoning_content":"hm"');
  });
});

test.each([true, false])(
  'members of a call go back with it, although its function is in a namespace (streamed: %s)',
  async (stream) => {
    const [first, next] = bodies('openai-responses', stream, 'hi');
    const tools = [{ type: 'namespace', name: 'n', description: '', tools: first['tools'] as JsonObject[] }];
    const input = (next['input'] as JsonObject[]).map((item) =>
      item['type'] === 'function_call' ? { ...item, namespace: 'n' } : item,
    );
    const call = { ...SIGNED, function: { ...SIGNED.function, name: 'n__find' } };
    const asked = [
      { ...first, tools },
      { ...next, input, tools },
    ];
    const sent = await sentBack('openai-responses', stream, { reasoning: 'hm', tool_calls: [call] }, asked);
    const { index: _index, ...given } = call;
    expect(sent).toMatchObject({
      reasoning: 'hm',
      tool_calls: [{ ...given, function: { name: 'n__find' } }],
    });
  },
);

describe.each([
  ['anthropic', true],
  ['anthropic', false],
  ['openai-responses', true],
  ['openai-responses', false],
] as const)('for a client of %s (streamed: %s)', (surface, stream) => {
  test.each(['reasoning_content', 'reasoning'])(
    'a thought in %s goes back with the call it led to',
    async (field) => {
      const sent = await sentBack(
        surface,
        stream,
        { [field]: 'hm', tool_calls: [CALL] },
        bodies(surface, stream, 'hi'),
      );
      expect(sent).toMatchObject({ [field]: 'hm', tool_calls: [{ id: CALL.id }] });
    },
  );

  test('a thought among the parts of a content goes back as such a part', async () => {
    const content = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }];
    const message = { content, tool_calls: [CALL] };
    const sent = await sentBack(surface, stream, message, bodies(surface, stream, 'hi'));
    expect(sent).toMatchObject({ content, tool_calls: [{ id: CALL.id }] });
  });

  test('members of a call go back with it', async () => {
    const sent = await sentBack(surface, stream, { tool_calls: [SIGNED] }, bodies(surface, stream, 'hi'));
    expect(sent).toMatchObject({ tool_calls: [{ id: CALL.id, extra_content: SIGNED.extra_content }] });
  });

  test('nothing goes into another conversation whose calls have the same ids', async () => {
    const [first] = bodies(surface, stream, 'hi');
    const [, other] = bodies(surface, stream, 'bye');
    const sent = await sentBack(surface, stream, { reasoning_content: 'hm', tool_calls: [SIGNED] }, [
      first,
      other,
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/hm|SIG/);
  });
});
