import type { JsonObject } from '@toolgate/core';
import { codecOf, type ModelEvent, PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, exchange, readAnswer, textOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { PAIRS } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents, wireStream } from '../../test-support/wire-samples.ts';

/** Faults reported of other gateways, each by its number, tried from the client's wire to the provider's. */

const CHAT = 'openai-chat';
const TOOL = { name: 'find', schema: { type: 'object', properties: { path: { type: 'string' } } } };
const CALL = { id: 'c1', arguments: '{"path":"a"}' };
const PLAIN = [turnEvents([])];

const chat = (members: JsonObject): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  ...members,
});
const chatTool = { type: 'function', function: { name: TOOL.name, parameters: TOOL.schema } };
const anthropicTool = { name: TOOL.name, input_schema: TOOL.schema };
const anthropic = (members: JsonObject): JsonObject => ({
  model: 'm',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'hi' }],
  ...members,
});

/** What a provider of one protocol was sent for a client's body of another. */
async function translated(surface: Protocol, backend: Protocol, body: JsonObject): Promise<JsonObject> {
  return exchange({ surface, backend, stream: false, turns: PLAIN, bodies: [body] }, ({ answered, sent }) => {
    expect([answered.status, answered.body]).toEqual([200, answered.body]);
    return sent[0] ?? {};
  });
}

/** The same, as a neutral call. */
async function understood(surface: Protocol, backend: Protocol, body: JsonObject) {
  return codecOf(backend).decodeRequest(await translated(surface, backend, body), { model: 'm' }).value;
}

describe('what a client asks for', () => {
  test.each(PAIRS)('C103, C105: no tool call stays no tool call, from %s to %s', async (surface, backend) => {
    const call = codecOf(CHAT).decodeRequest(chat({ tools: [chatTool], tool_choice: 'none' })).value;
    const { body } = codecOf(surface).encodeRequest({ ...call, model: 'm', stream: false }).value;
    const sent = await understood(surface, backend, body);
    expect(sent.toolChoice).toMatchObject({ mode: 'none' });
    expect(sent.tools).toHaveLength(1);
  });

  test('C106: the parallel flag alone forces no tool call', async () => {
    const body = chat({ tools: [chatTool], parallel_tool_calls: false });
    expect(await translated(CHAT, 'anthropic', body)).toMatchObject({
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    expect(await translated(CHAT, 'anthropic', chat({ tools: [chatTool] }))).not.toHaveProperty(
      'tool_choice',
    );
  });

  test('C108: a field that cannot be carried is counted in a header, and refused on a strict route', async () => {
    const body = chat({ tools: [chatTool], seed: 7, logit_bias: { 1: 2 } });
    const asked = {
      surface: CHAT,
      backend: 'anthropic',
      stream: false,
      turns: PLAIN,
      bodies: [body],
    } as const;
    await exchange(asked, ({ answered, gateway }) => {
      const { losses = [] } = gateway.traffic[0] ?? {};
      expect(losses.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['/sampling/seed', '/extensions/members/logit_bias']),
      );
      expect(Number(answered.headers['toolgate-loss'])).toBeGreaterThanOrEqual(2);
    });
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], strict: true }];
    await exchange({ ...asked, setup: { routes } }, ({ answered, provider }) => {
      expect(answered.status).toBe(400);
      expect(answered.body).toContain('translation_refused');
      expect(provider.requests).toEqual([]);
    });
  });

  test('C108: const in a schema survives', async () => {
    const schema = { type: 'object', properties: { v: { const: 'x' } }, additionalProperties: false };
    const tool = { type: 'function', function: { name: 'a', strict: true, parameters: schema } };
    const sent = await understood(CHAT, 'anthropic', chat({ tools: [tool] }));
    expect(JSON.stringify(sent.tools)).toMatch(/"const":"x"|"enum":\["x"\]/);
  });

  test('C187: developer and system messages are instructions', async () => {
    const messages = [
      { role: 'developer', content: 'Answer in French' },
      { role: 'user', content: 'hi' },
    ];
    expect(JSON.stringify((await translated(CHAT, 'anthropic', chat({ messages })))['system'])).toContain(
      'French',
    );
    expect(
      JSON.stringify((await translated(CHAT, 'gemini', chat({ messages })))['systemInstruction']),
    ).toContain('French');
  });

  test.each(['anthropic', 'gemini'] as const)(
    'C189: a request with instructions only is refused with a clear text before %s',
    async (backend) => {
      const body = chat({ messages: [{ role: 'system', content: 'Write a haiku' }] });
      const asked = { surface: CHAT, backend, stream: false, turns: PLAIN, bodies: [body] } as const;
      await exchange(asked, ({ answered, provider }) => {
        expect(answered.status).toBe(400);
        expect(answered.body).toContain('needs a message besides instructions');
        expect(provider.requests).toEqual([]);
      });
    },
  );

  test('C190: an instruction in mid-conversation is kept and reported', async () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'c' },
    ];
    const asked = {
      surface: CHAT,
      backend: 'anthropic',
      stream: false,
      turns: PLAIN,
      bodies: [chat({ messages })],
    } as const;
    await exchange(asked, ({ answered, sent }) => {
      expect(JSON.stringify(sent[0])).toContain('be brief');
      expect(answered.headers['toolgate-loss']).not.toBe('0');
    });
  });

  test('C211: a message of the old function role is understood', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: '{}' } },
      { role: 'function', name: 'find', content: '{"temp":25}' },
    ];
    const sent = await understood(CHAT, 'anthropic', chat({ messages }));
    expect(sent.items).toMatchObject([
      { kind: 'message' },
      { kind: 'tool-call', name: 'find' },
      { kind: 'tool-result' },
    ]);
  });

  test('C212: a strict schema is no fault on Gemini, nor is an error of any shape', async () => {
    const schema = { ...TOOL.schema, additionalProperties: false };
    const tool = { type: 'function', function: { name: 'find', strict: true, parameters: schema } };
    expect(await translated(CHAT, 'gemini', chat({ tools: [tool] }))).toHaveProperty('tools');
    for (const body of [
      '',
      '[]',
      'null',
      '"x"',
      '{"error":7}',
      '{"error":{"message":{}}}',
      '[{"error":{"message":"m"}}]',
    ]) {
      await withRawProvider('gemini', [sendJson(body, 400)], {}, async ({ errors, url }) => {
        expect((await post(`${url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false))).status).toBe(400);
        expect(errors).toEqual([]);
      });
    }
  });

  test('C215: tools outside of the allowed ones are not offered where that cannot be said', async () => {
    const tools = ['a', 'b'].map((name) => ({
      type: 'function',
      function: { name, parameters: TOOL.schema },
    }));
    const choice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'a' } }] },
    };
    const sent = await understood(CHAT, 'anthropic', chat({ tools, tool_choice: choice }));
    expect(sent.tools?.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a history', () => {
  const turn = (calls: readonly string[]): JsonObject => ({
    role: 'assistant',
    content: null,
    tool_calls: calls.map((id) => ({ id, type: 'function', function: { name: 'exec', arguments: '{}' } })),
  });

  test('C114: a message between a call and its result does not part them', async () => {
    const input = [
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'message', role: 'user', content: 'note' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
    ];
    const sent = await translated('openai-responses', CHAT, { model: 'm', input });
    expect((sent['messages'] as JsonObject[]).map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });

  test('C115: calls of one turn are one message', async () => {
    const input = [
      { type: 'message', role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'exec:0', name: 'exec', arguments: '{}' },
      { type: 'function_call', call_id: 'exec:1', name: 'exec', arguments: '{}' },
      { type: 'function_call_output', call_id: 'exec:0', output: 'a' },
      { type: 'function_call_output', call_id: 'exec:1', output: 'b' },
    ];
    const { messages } = await translated('openai-responses', CHAT, { model: 'm', input });
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{}, {}] },
      { role: 'tool', content: 'a' },
      { role: 'tool', content: 'b' },
    ]);
  });

  test('C117: every message is carried', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      turn(['c1']),
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ];
    const { input } = await translated(CHAT, 'openai-responses', chat({ messages }));
    expect((input as JsonObject[]).map(({ role, type }) => role ?? type)).toEqual([
      'user',
      'function_call',
      'function_call_output',
    ]);
  });

  test('C118: text and calls keep their order', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { ...turn(['c1', 'c2']), content: 'Let me look' },
      { role: 'tool', tool_call_id: 'c1', content: '1' },
      { role: 'tool', tool_call_id: 'c2', content: '2' },
    ];
    const sent = await understood(CHAT, 'anthropic', chat({ messages }));
    expect(sent.items.map(({ kind }) => kind)).toEqual([
      'message',
      'message',
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
    ]);
  });

  test('C111: a thought without a signature is not replayed', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { ...turn(['c1']), reasoning_content: 'shown only' },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ];
    expect(JSON.stringify(await translated(CHAT, 'anthropic', chat({ messages })))).not.toContain(
      'shown only',
    );
  });

  test('C120: calls of another provider go to Gemini with its documented fallback or without a signature', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      turn(['c1']),
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ];
    const { contents } = await translated(CHAT, 'gemini', chat({ messages }));
    expect(contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: { name: 'exec' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'exec' } }] },
    ]);
  });

  test.each([CHAT, 'gemini', 'openai-responses'] as const)(
    'C129, C130: an image of a tool reaches a model of %s',
    async (backend) => {
      const data = 'aGVsbG8=';
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data } };
      const messages = [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [image] }] },
      ];
      expect(JSON.stringify(await translated('anthropic', backend, anthropic({ messages })))).toContain(data);
    },
  );

  test('C136: the failure of a tool is told where there is no flag, and known again', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no such file' }],
      },
    ];
    const sent = await understood('anthropic', CHAT, anthropic({ messages }));
    expect(sent.items.at(-1)).toMatchObject({ kind: 'tool-result', isError: true });
  });

  test('C138, C139: empty and blank texts do not make a provider refuse the conversation', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { ...turn(['c1']), content: ' \n' },
      { role: 'tool', tool_call_id: 'c1', content: '' },
    ];
    const sent = await translated(CHAT, 'anthropic', chat({ messages }));
    expect(JSON.stringify(sent)).not.toMatch(/"text":"\s*(?:\\n)?"/);
    expect(sent['messages']).toHaveLength(3);
  });

  test('C302, C303, C305: results for Gemini carry the name of their call, all in one content, by its id', async () => {
    const ids = ['i1', 'i2', 'i3', 'i4', 'i5', 'i6'];
    const results = [...ids].reverse().map((id) => ({ role: 'tool', tool_call_id: id, content: id }));
    const messages = [{ role: 'user', content: 'go' }, turn(ids), ...results];
    const { contents } = await translated(CHAT, 'gemini', chat({ messages }));
    const last = (contents as { parts: { functionResponse: JsonObject }[] }[]).at(-1);
    expect(
      last?.parts.map(({ functionResponse }) => [functionResponse['id'], functionResponse['name']]),
    ).toEqual(ids.map((id) => [id, 'exec']));
  });
});

describe('thoughts', () => {
  const THOUGHT: readonly ModelEvent[] = [
    { kind: 'reasoning-start', index: 0 },
    { kind: 'reasoning-delta', index: 0, text: 'hm' },
    {
      kind: 'reasoning-end',
      index: 0,
      opaque: { protocol: 'anthropic', form: 'signature', value: 'sig-123' },
    },
  ];
  const thinking = turnEvents([CALL]).flatMap((event) =>
    'index' in event && event.index === 0 ? (event.kind === 'text-start' ? THOUGHT : []) : [event],
  );
  const follow = (id: string): JsonObject =>
    chat({
      tools: [chatTool],
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'find', arguments: CALL.arguments } }],
        },
        { role: 'tool', tool_call_id: id, content: 'r' },
      ],
    });

  test.each([true, false])(
    'C109: signed thoughts come back before their calls (streamed: %s)',
    async (stream) => {
      const bodies = [chat({ tools: [chatTool], stream }), { ...follow('c1'), stream }];
      await exchange(
        { surface: CHAT, backend: 'anthropic', stream, turns: [thinking, ...PLAIN], bodies },
        ({ sent }) => {
          const messages = sent[1]?.['messages'];
          expect(messages).toMatchObject([
            { role: 'user' },
            {
              role: 'assistant',
              content: [{ type: 'thinking', thinking: 'hm', signature: 'sig-123' }, { type: 'tool_use' }],
            },
            { role: 'user', content: [{ type: 'tool_result' }] },
          ]);
        },
      );
    },
  );

  test('C109: and go to nobody else', async () => {
    const bodies = [chat({ tools: [chatTool] }), follow('another')];
    await exchange(
      { surface: CHAT, backend: 'anthropic', stream: false, turns: [thinking, ...PLAIN], bodies },
      ({ sent }) => {
        expect(JSON.stringify(sent[1])).not.toContain('sig-123');
      },
    );
  });

  test('C109: a turn whose thoughts are gone goes on without thinking, and that is told', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ functionCall: { id: 'x1', name: 'find', args: { path: 'a' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'x1', name: 'find', response: { result: 'r' } } }] },
    ];
    const body = {
      contents,
      generationConfig: { thinkingConfig: { thinkingBudget: 2_000 }, maxOutputTokens: 9_000 },
    };
    await exchange(
      { surface: 'gemini', backend: 'anthropic', stream: false, turns: PLAIN, bodies: [body] },
      (exchanged) => {
        expect(exchanged.sent[0]).not.toHaveProperty('thinking');
        expect(exchanged.gateway.traffic[0]?.losses).toEqual(
          expect.arrayContaining([expect.objectContaining({ path: '/reasoning', code: 'dropped' })]),
        );
      },
    );
  });

  test('C112: thoughts come before the calls they led to, streamed or not', async () => {
    for (const stream of [true, false]) {
      await exchange(
        { surface: 'openai-responses', backend: 'anthropic', stream, turns: [thinking] },
        ({ response }) => {
          expect(response.items.map(({ kind }) => kind)).toEqual(['reasoning', 'tool-call']);
        },
      );
    }
  });
});

describe('an answer', () => {
  const raw = (lines: readonly unknown[]): readonly string[] =>
    lines.map((line) => `data: ${typeof line === 'string' ? line : JSON.stringify(line)}\n\n`);
  const chunk = (delta: unknown, finish: string | null = null): unknown => ({
    id: 'r',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'up',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const askChat = (surface: Protocol, lines: readonly unknown[]) =>
    withRawProvider(CHAT, [sendEvents(raw(lines))], {}, async ({ traffic, url }) => {
      const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      return { body, response: readAnswer(surface, true, body), traffic: traffic[0] };
    });
  const call = (members: JsonObject): unknown => chunk({ tool_calls: [{ index: 0, ...members }] });

  test('C008: arguments that come as an object go out as a text', async () => {
    const tool_calls = [{ id: 'x', type: 'function', function: { name: 'find', arguments: { path: 'a' } } }];
    const body = {
      id: 'r',
      object: 'chat.completion',
      created: 1,
      model: 'up',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' },
      ],
    };
    await withRawProvider(CHAT, [sendJson(JSON.stringify(body))], {}, async ({ url }) => {
      for (const surface of ['anthropic', 'openai-responses'] as const) {
        const answered = await post(`${url}${surfacePath(surface, false)}`, oddRequest(surface, false));
        expect(callsOf(readAnswer(surface, false, answered.body))).toEqual([['find', '{"path":"a"}']]);
      }
    });
  });

  test.each(PROTOCOLS)(
    'C121, C214: with whole calls ends as one with calls, whatever the provider says, for %s',
    async (surface) => {
      const lines = [
        chunk({ content: 'Checking' }),
        call({ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } }),
        chunk({}, 'stop'),
        '[DONE]',
      ];
      const { response } = await askChat(surface, lines);
      expect([response.finish, callsOf(response)]).toEqual(['tool-calls', [['find', '{"path":"a"}']]]);
    },
  );

  test('C123: is not finished by an empty finish reason', async () => {
    const lines = [chunk({ content: 'a' }, ''), chunk({ content: 'b' }, ''), chunk({}, 'stop'), '[DONE]'];
    const { response } = await askChat('anthropic', lines);
    expect([textOf(response), response.finish]).toEqual(['ab', 'stop']);
  });

  test.each(PROTOCOLS)(
    'C124, C126: that dies ends with the error of %s and no clean end',
    async (surface) => {
      const lines = [
        chunk({ content: 'a' }),
        call({ id: 'c1', function: { name: 'find', arguments: '{"pa' } }),
      ];
      const { body, response } = await askChat(surface, lines);
      expect([response.finish, callsOf(response)]).toEqual(['error', []]);
      expect(body).not.toMatch(/\[DONE\]|message_stop|response\.completed|finishReason/);
    },
  );

  test.each(PROTOCOLS)('C127: with an error inside a 200 stream is a failed one, for %s', async (surface) => {
    const pieces = [
      ...wireStream('anthropic', turnEvents([CALL])).slice(0, 4),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
    ];
    await withRawProvider('anthropic', [sendEvents(pieces)], {}, async ({ url }) => {
      const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      const response = readAnswer(surface, true, body);
      expect([response.finish, callsOf(response)]).toEqual(['error', []]);
    });
  });

  test.each(PAIRS)(
    'C132: calls a tool by the client’s own name, from %s through %s',
    async (surface, backend) => {
      if (surface === 'gemini') return expectName(surface, backend, 'mcp__browser__computer');
      return expectName(surface, backend, `long_${'x'.repeat(58)}`);
    },
  );

  async function expectName(surface: Protocol, backend: Protocol, name: string): Promise<void> {
    const tool = codecOf(CHAT).decodeRequest(
      chat({ tools: [{ type: 'function', function: { name, parameters: TOOL.schema } }] }),
    ).value;
    const { body } = codecOf(surface).encodeRequest({ ...tool, model: 'm', stream: true }).value;
    const answer = turnEvents([{ ...CALL, name }]);
    await exchange({ surface, backend, stream: true, turns: [answer], bodies: [body] }, ({ response }) => {
      expect(callsOf(response)).toEqual([[name, CALL.arguments]]);
    });
  }

  test('C133: from Gemini has its arguments in a stream of Anthropic', async () => {
    await exchange(
      { surface: 'anthropic', backend: 'gemini', stream: true, turns: [turnEvents([CALL])] },
      ({ answered, response }) => {
        expect(callsOf(response)).toEqual([['find', CALL.arguments]]);
        expect(answered.body).toContain('input_json_delta');
      },
    );
  });

  test('C135: whose arguments come before the name is put together', async () => {
    const lines = [
      call({ function: { arguments: '{"path"' } }),
      call({ id: 'c1', function: { name: 'find' } }),
      call({ function: { arguments: ':"a"}' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ];
    for (const surface of [CHAT, 'anthropic'] as const) {
      expect(callsOf((await askChat(surface, lines)).response)).toEqual([['find', '{"path":"a"}']]);
    }
  });

  test.each(PAIRS)(
    'C183, C184: carries the provider’s counts to a stream of %s from %s',
    async (surface, backend) => {
      await exchange({ surface, backend, stream: true, turns: PLAIN }, ({ gateway, response, sent }) => {
        expect(gateway.traffic[0]?.usage).toMatchObject({ inputTotal: 12, outputTotal: 7 });
        if (surface !== CHAT) expect(response.usage).toMatchObject({ inputTotal: 12, outputTotal: 7 });
        if (surface !== CHAT && backend === CHAT)
          expect(sent[0]).toMatchObject({ stream_options: { include_usage: true } });
      });
    },
  );

  test('C183: without counts says so instead of 0, and hides a chunk that nobody asked for', async () => {
    const lines = [chunk({ content: 'a' }), chunk({}, 'stop'), '[DONE]'];
    expect((await askChat('openai-responses', lines)).traffic?.usage).toBeNull();
    await exchange({ surface: CHAT, backend: 'anthropic', stream: true, turns: PLAIN }, ({ answered }) => {
      expect(answered.body).not.toContain('prompt_tokens');
    });
  });

  test('C186: keeps its counts through chunks without any', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const none = Array.from({ length: 20 }, () => ({
      ...(chunk({ content: 'a' }) as JsonObject),
      usage: null,
    }));
    const lines = [
      ...none,
      chunk({}, 'stop'),
      { ...(chunk({}) as JsonObject), choices: [], usage },
      '[DONE]',
    ];
    const { response } = await askChat('anthropic', lines);
    expect(response.usage).toMatchObject({ inputTotal: 5, outputTotal: 2 });
  });

  test('C246: is kept alive while nothing comes', async () => {
    const [first = '', ...rest] = wireStream(CHAT, turnEvents([]));
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const answer = async (response: Parameters<ReturnType<typeof sendEvents>>[0]): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first);
      await waits;
      response.end(rest.join(''));
    };
    const setup = { options: { keepAliveMs: 10 } };
    await withRawProvider(CHAT, [answer], setup, async ({ url }) => {
      const { openPost } = await import('../../test-support/post.ts');
      const open = await openPost(`${url}${surfacePath(CHAT, true)}`, oddRequest(CHAT, true));
      open.response.on('data', (piece: Buffer) => {
        if (piece.includes(': keep-alive')) go();
      });
      expect(textOf(readAnswer(CHAT, true, (await open.rest()).body))).toBe('Looking ü');
    });
  });

  test.each(PROTOCOLS)(
    'C381: with an entry of a call that says nothing has no call, for %s',
    async (surface) => {
      const nothing = { index: 0, type: 'function', function: { name: '', arguments: '' } };
      for (const entry of [nothing, { ...nothing, id: 'c9' }]) {
        for (const lines of [
          [chunk({ content: 'a' }), call(entry), chunk({ content: 'b' })],
          [call(entry), chunk({ content: 'ab' })],
        ]) {
          const { body, response } = await askChat(surface, [...lines, chunk({}, 'stop'), '[DONE]']);
          expect([textOf(response), response.finish, callsOf(response)]).toEqual(['ab', 'stop', []]);
          expect(body).not.toContain('"name":""');
          expect(body.match(/"finish_reason":"stop"/g) ?? ['']).toHaveLength(1);
        }
      }
    },
  );

  test.each(PROTOCOLS)('C294: that was cut stays cut although a call began, for %s', async (surface) => {
    const lines = [
      chunk({ content: 'a' }),
      call({ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"path":"a' } }),
      chunk({}, 'length'),
      '[DONE]',
    ];
    const { response } = await askChat(surface, lines);
    expect([response.finish, callsOf(response)]).toEqual(['length', []]);
  });

  test('C329: of another wire is a whole stream of Responses', async () => {
    await exchange(
      { surface: 'openai-responses', backend: CHAT, stream: true, turns: [turnEvents([CALL])] },
      ({ answered }) => {
        const events = answered.body.split('\n\n').flatMap((text) => {
          const data = /^data: (.*)$/m.exec(text)?.[1];
          return data === undefined
            ? []
            : [
                JSON.parse(data) as {
                  type: string;
                  sequence_number: number;
                  response?: { output: unknown[] };
                },
              ];
        });
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
        const types = new Set(events.map(({ type }) => type));
        for (const type of [
          'response.created',
          'response.output_item.added',
          'response.function_call_arguments.done',
          'response.output_item.done',
        ]) {
          expect(types).toContain(type);
        }
        expect(events.at(-1)).toMatchObject({
          type: 'response.completed',
          response: { output: [{ type: 'message' }, { type: 'function_call' }] },
        });
      },
    );
  });

  test('a tool of Anthropic is called under the name it has there', async () => {
    const body = anthropic({ tools: [anthropicTool] });
    await exchange(
      { surface: 'anthropic', backend: CHAT, stream: false, turns: [turnEvents([CALL])], bodies: [body] },
      ({ response }) => {
        expect(callsOf(response)).toEqual([['find', CALL.arguments]]);
      },
    );
  });
});
