import { PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { type GatewaySetup, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';
import type { AuditRecord } from '../../ports/audit-log.ts';

/** Names and arguments that no client may see: no tool of these names was offered. */
const FORBIDDEN = /delete_db|EVIL/;

const chat = (choices: readonly unknown[], more: object = {}) =>
  ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'up', choices, ...more }) as const;
const delta = (said: object, finish: string | null = null, index = 0) =>
  ({ index, delta: said, finish_reason: finish }) as const;
const fn = (more: object = {}) => ({ function: { name: 'delete_db', arguments: '{"x":"EVIL"}' }, ...more });
const find = (index = 0) => ({
  index,
  id: 'ok',
  type: 'function',
  function: { name: 'find', arguments: '{"path":"a"}' },
});
const custom = (input: string, more: object = {}) => ({
  index: 0,
  type: 'custom',
  custom: { input, ...more },
});
const sse = (values: readonly unknown[]): string =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');
const named = (values: readonly { readonly type: string }[]): string =>
  values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join('');

const CHAT_STREAMS: readonly (readonly [string, readonly unknown[]])[] = [
  [
    'in a second answer',
    [
      chat([delta({ content: 'hi' })]),
      chat([delta({ tool_calls: [{ index: 0, id: 'x', ...fn() }] }, null, 1)]),
      chat([delta({}, 'stop'), delta({}, 'tool_calls', 1)]),
    ],
  ],
  [
    'in the old form of a second answer',
    [
      chat([delta({ content: 'hi' })]),
      chat([delta({ function_call: fn().function }, null, 1)]),
      chat([delta({}, 'stop')]),
    ],
  ],
  ['in the old form', [chat([delta({ function_call: fn().function })]), chat([delta({}, 'function_call')])]],
  [
    'in the old form beside a listed one',
    [chat([delta({ tool_calls: [find()], function_call: fn().function })]), chat([delta({}, 'tool_calls')])],
  ],
  [
    'in the old form after a listed one',
    [
      chat([delta({ tool_calls: [find()] })]),
      chat([delta({ function_call: fn().function })]),
      chat([delta({}, 'tool_calls')]),
    ],
  ],
  [
    'without an id, before text',
    [
      chat([delta({ tool_calls: [{ index: 0, ...fn() }] })]),
      chat([delta({ content: 'hi' })]),
      chat([delta({}, 'tool_calls')]),
    ],
  ],
  [
    'of a custom tool in pieces, before text',
    [
      chat([delta({ tool_calls: [custom('EV', { name: 'delete_db' })] })]),
      chat([delta({ content: 'hi' })]),
      chat([delta({ tool_calls: [custom('IL')] })]),
      chat([delta({ content: 'ho' })]),
      chat([delta({}, 'tool_calls')]),
    ],
  ],
  [
    'of a custom tool between text',
    [
      chat([delta({ content: 'hi' })]),
      chat([delta({ tool_calls: [custom('EVIL', { name: 'delete_db' })] })]),
      chat([delta({ content: 'ho' })]),
      chat([delta({}, 'stop')]),
    ],
  ],
  [
    'of a custom tool that is cut off',
    [chat([delta({ tool_calls: [custom('EVIL', { name: 'delete_db' })] })]), chat([delta({}, 'length')])],
  ],
  [
    'announced by an entry of nothing, before another one at its index',
    [
      chat([delta({ tool_calls: [{ index: 0 }] })]),
      chat([delta({ tool_calls: [{ index: 0, id: 'x', ...fn() }] })]),
      chat([delta({ tool_calls: [find()] })]),
      chat([delta({}, 'tool_calls')]),
    ],
  ],
  [
    'in a whole message behind pieces',
    [
      chat([delta({ content: 'hi' })]),
      chat([
        { index: 0, message: { role: 'assistant', tool_calls: [{ id: 'x', type: 'function', ...fn() }] } },
      ]),
      chat([delta({}, 'stop')]),
    ],
  ],
  [
    'in a whole message beside a piece',
    [
      chat([
        {
          index: 0,
          delta: { content: 'hi' },
          message: { tool_calls: [{ id: 'x', type: 'function', ...fn() }] },
        },
      ]),
      chat([delta({}, 'stop')]),
    ],
  ],
  [
    'behind the end',
    [
      chat([delta({ content: 'hi' })]),
      chat([delta({}, 'stop')]),
      chat([delta({ tool_calls: [{ index: 0, id: 'x', ...fn() }] })]),
    ],
  ],
  [
    'behind the mark of the end',
    [
      chat([delta({ content: 'hi' }, 'stop')]),
      '[DONE]',
      chat([delta({ tool_calls: [{ index: 0, id: 'x', ...fn() }] })]),
    ],
  ],
  [
    'in an object with a member twice',
    [
      '{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"find","name":"delete_db","arguments":"{}"}}]}}]}',
    ],
  ],
  [
    'whose arguments say a member twice',
    [
      chat([
        delta({
          tool_calls: [{ ...find(), function: { name: 'find', arguments: '{"path":"a","path":"EVIL"}' } }],
        }),
      ]),
      chat([delta({}, 'tool_calls')]),
    ],
  ],
];

const RESPONSES_STREAMS: readonly (readonly [string, readonly { readonly type: string }[]])[] = (() => {
  const head = (output: readonly unknown[] = []) => ({
    type: 'response.created',
    response: { id: 'r', object: 'response', status: 'in_progress', model: 'up', output },
  });
  const end = (output: readonly unknown[] = [], status = 'completed') => ({
    type: `response.${status}`,
    response: { id: 'r', object: 'response', status, model: 'up', output },
  });
  const call = {
    type: 'function_call',
    id: 'fc',
    call_id: 'x',
    name: 'delete_db',
    arguments: '{"x":"EVIL"}',
    status: 'completed',
  };
  const own = {
    type: 'custom_tool_call',
    id: 'ct',
    call_id: 'x',
    name: 'delete_db',
    input: 'EVIL',
    status: 'completed',
  };
  const unknown = {
    type: 'robot_arm_call',
    id: 'ra',
    call_id: 'x',
    name: 'delete_db',
    action: 'EVIL',
    status: 'completed',
  };
  const text = [
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'message', id: 'm', role: 'assistant', content: [], status: 'in_progress' },
    },
    { type: 'response.output_text.delta', output_index: 1, item_id: 'm', content_index: 0, delta: 'hi' },
  ];
  const added = (item: object) => ({ type: 'response.output_item.added', output_index: 0, item });
  const done = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item });
  return [
    ['in the output of the start', [head([call]), ...text, end()]],
    ['in the output of the end alone', [head(), end([call])]],
    [
      'of a custom tool, before text',
      [
        head(),
        added({ ...own, input: '' }),
        { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'ct', delta: 'EVIL' },
        ...text,
        done(own),
        end([own]),
      ],
    ],
    ['of a custom tool that is never done', [head(), added(own), ...text, end()]],
    [
      'of a custom tool that is cut off',
      [
        head(),
        added({ ...own, status: 'in_progress' }),
        done({ ...own, status: 'incomplete' }),
        end([], 'incomplete'),
      ],
    ],
    ['of an unknown kind', [head(), added(unknown), ...text, done(unknown), end([unknown])]],
    ['of an unknown kind in the output of the end alone', [head(), ...text, end([unknown])]],
    [
      'with another name in the end',
      [
        head(),
        added({ ...call, name: 'find', arguments: '' }),
        done({ ...call, name: 'find', arguments: '{"path":"a"}' }),
        end([call]),
      ],
    ],
    ...[call, own].flatMap(
      (hidden): [string, readonly { readonly type: string; readonly output_index?: number }[]][] => [
        [
          `(${hidden.type}) as the final form of an item that began as a text`,
          [head(), ...text, { ...done({ ...hidden, id: 'm' }), output_index: 1 }, end()],
        ],
        [
          `(${hidden.type}) as the final form of what the provider runs`,
          [head(), added({ type: 'mcp_call', id: 'mc' }), done({ ...hidden, id: 'mc' }), end()],
        ],
        [
          `(${hidden.type}) under the id of a text in the output of the end`,
          [head(), ...text, end([{ ...hidden, id: 'm' }])],
        ],
      ],
    ),
    ...[call, { ...call, name: 'find' }].map((again): [string, readonly { readonly type: string }[]] => [
      `(${again.name}) in a final form that comes once more`,
      [
        head(),
        ...text,
        done({ ...call, name: 'find', arguments: '{"path":"a"}' }),
        done(again),
        end([{ ...call, name: 'find', arguments: '{"path":"a"}' }]),
      ],
    ]),
  ];
})();

const ANTHROPIC_STREAMS: readonly (readonly [string, readonly { readonly type: string }[]])[] = (() => {
  const start = (content: readonly unknown[] = []) => ({
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'up',
      content,
      stop_reason: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
  const use = { type: 'tool_use', id: 'x', name: 'delete_db', input: { x: 'EVIL' } };
  const text = [
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', index: 1 },
  ];
  const end = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];
  const block = (content_block: object) => [
    { type: 'content_block_start', index: 0, content_block },
    ...text,
    { type: 'content_block_stop', index: 0 },
  ];
  return [
    ['in the message of the start', [start([use]), ...text, ...end]],
    ['whole in the start of its block', [start(), ...block(use), ...end]],
    ['of an unknown kind', [start(), ...block({ ...use, type: 'robot_tool_use' }), ...end]],
  ];
})();

const GEMINI_STREAMS: readonly (readonly [string, readonly unknown[]])[] = (() => {
  const functionCall = { name: 'delete_db', args: { x: 'EVIL' } };
  const chunk = (parts: readonly unknown[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, ...more }],
    modelVersion: 'up',
  });
  return [
    [
      'of a second answer',
      [
        chunk([{ text: 'hi' }]),
        { candidates: [{ index: 1, content: { parts: [{ functionCall }] } }] },
        chunk([], { finishReason: 'STOP' }),
      ],
    ],
    ['in the other spelling', [chunk([{ function_call: functionCall }], { finishReason: 'STOP' })]],
    [
      'in the other spelling beside one that may go out',
      [
        chunk([{ functionCall: { name: 'find', args: { path: 'a' } }, function_call: functionCall }], {
          finishReason: 'STOP',
        }),
      ],
    ],
    ['beside text', [chunk([{ text: 'hi', functionCall }], { finishReason: 'STOP' })]],
    [
      'in pieces, before text',
      [
        chunk([
          {
            functionCall: {
              name: 'delete_db',
              partialArgs: [{ jsonPath: '$.x', stringValue: 'EV', willContinue: true }],
              willContinue: true,
            },
          },
        ]),
        chunk([{ text: 'hi' }]),
        chunk([{ functionCall: { partialArgs: [{ jsonPath: '$.x', stringValue: 'IL' }] } }]),
        chunk([], { finishReason: 'STOP' }),
      ],
    ],
    [
      'in pieces that never end',
      [
        chunk([{ functionCall: { name: 'delete_db', willContinue: true } }]),
        chunk([{ text: 'hi' }]),
        chunk([], { finishReason: 'STOP' }),
      ],
    ],
  ];
})();

const STREAMS: readonly (readonly [Protocol, string, string])[] = [
  ...CHAT_STREAMS.map(([name, values]) => ['openai-chat', name, sse([...values, '[DONE]'])] as const),
  ...RESPONSES_STREAMS.map(([name, values]) => ['openai-responses', name, named(values)] as const),
  ...ANTHROPIC_STREAMS.map(([name, values]) => ['anthropic', name, named(values)] as const),
  ...GEMINI_STREAMS.map(([name, values]) => ['gemini', name, sse(values)] as const),
];

const message = (more: object) => ({ role: 'assistant', content: 'hi', ...more });
const WHOLE: readonly (readonly [Protocol, string, unknown])[] = [
  [
    'openai-chat',
    'in a second answer',
    chat([
      { index: 0, message: message({}), finish_reason: 'stop' },
      {
        index: 1,
        message: message({ tool_calls: [{ id: 'x', type: 'function', ...fn() }] }),
        finish_reason: 'tool_calls',
      },
    ]),
  ],
  [
    'openai-chat',
    'in the old form beside a listed one',
    chat([
      {
        index: 0,
        message: message({ tool_calls: [find()], function_call: fn().function }),
        finish_reason: 'tool_calls',
      },
    ]),
  ],
  [
    'openai-chat',
    'of a custom tool that is cut off',
    chat([
      {
        index: 0,
        message: message({
          tool_calls: [{ id: 'x', type: 'custom', custom: { name: 'delete_db', input: 'EVIL' } }],
        }),
        finish_reason: 'length',
      },
    ]),
  ],
  [
    'openai-responses',
    'of an unknown kind',
    {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'up',
      output: [{ type: 'robot_arm_call', id: 'ra', call_id: 'x', name: 'delete_db', action: 'EVIL' }],
    },
  ],
  [
    'openai-responses',
    'of a custom tool that is cut off',
    {
      id: 'r',
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      model: 'up',
      output: [
        {
          type: 'custom_tool_call',
          id: 'ct',
          call_id: 'x',
          name: 'delete_db',
          input: 'EVIL',
          status: 'incomplete',
        },
      ],
    },
  ],
  [
    'anthropic',
    'of an unknown kind',
    {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'up',
      content: [{ type: 'robot_tool_use', id: 'x', name: 'delete_db', input: { x: 'EVIL' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  ],
  [
    'gemini',
    'of a second answer',
    {
      candidates: [
        { content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' },
        { index: 1, content: { parts: [{ functionCall: { name: 'delete_db', args: { x: 'EVIL' } } }] } },
      ],
    },
  ],
];

async function ask(
  protocol: Protocol,
  stream: boolean,
  body: string,
  setup: Omit<GatewaySetup, 'providers'> = {},
) {
  const answer = stream ? sendEvents([body]) : sendJson(body);
  return withRawProvider(
    protocol,
    [answer],
    setup,
    async ({ url }) =>
      (await post(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream))).body,
  );
}

describe('a call that nobody offered does not reach a client of the provider’s own protocol', () => {
  test.each(STREAMS)('streamed, %s: %s', async (protocol, _, body) => {
    expect(body).toMatch(FORBIDDEN);
    expect(await ask(protocol, true, body)).not.toMatch(FORBIDDEN);
  });

  test.each(WHOLE)('whole, %s: %s', async (protocol, _, body) => {
    const said = await ask(protocol, false, JSON.stringify(body));
    expect(said).not.toMatch(FORBIDDEN);
    expect(said).not.toContain('"code"');
  });
});

test.each(PROTOCOLS)(
  'a written passage of %s passes what nobody can judge on byte for byte',
  async (protocol) => {
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough: true }];
    const bodies = STREAMS.filter(([of, name]) => of === protocol && /second|unknown/.test(name));
    for (const [, , body] of bodies) expect(await ask(protocol, true, body, { routes })).toBe(body);
    expect(bodies.length).toBeGreaterThan(0);
  },
);

test.each([
  ['with a custom tool', custom('ab', { name: 'note' })],
  ['without an id', { ...find(), id: undefined }],
])('a call %s that may go out goes out byte for byte', async (_, call) => {
  const body = sse([
    chat([delta({ content: 'hi' })]),
    chat([delta({ tool_calls: [call] })]),
    chat([delta({}, 'tool_calls')]),
    '[DONE]',
  ]);
  const request = oddRequest('openai-chat', true).replace(
    '"tools":[',
    '"tools":[{"type":"custom","custom":{"name":"note"}},',
  );
  const routes = [
    { model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall() },
  ];
  const said = await withRawProvider(
    'openai-chat',
    [sendEvents([body])],
    { routes },
    async ({ url }) => (await post(`${url}/v1/chat/completions`, request)).body,
  );
  expect(said).toBe(body);
});

/** What the logs say about one answer. */
async function logged(
  protocol: Protocol,
  stream: boolean,
  body: string,
  setup: Omit<GatewaySetup, 'providers'> = {},
) {
  const answer = stream ? sendEvents([body]) : sendJson(body);
  return withRawProvider(protocol, [answer], setup, async ({ stores, traffic, url }) => {
    const answered = await post(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream));
    await stores.calls.flush();
    const { items: calls } = await stores.calls.list();
    // Entries of one audit are written in order.
    await stores.audit.append({ kind: 'config-load', actor: 'test', data: {} });
    const audit: AuditRecord[] = [];
    for await (const record of stores.audit.read()) audit.push(record);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return { answered, audit: audit.filter(({ kind }) => kind.startsWith('call-')), calls, metrics, traffic };
  });
}

/** What breaks the answer itself: its error is in the traffic log, and nothing behind it is read. */
const BREAKS =
  /behind the |with a member twice|beside one that may go out|another name in the end|comes once more/;
/** What no event tells. */
const UNREAD = /second answer|old form (?:beside|after)|in a whole message|of the start$/;
const WRITTEN = [
  ...STREAMS.filter(([, name]) => !BREAKS.test(name) && !name.startsWith('whose')).map(
    ([protocol, name, body]) => [protocol, name, body, true] as const,
  ),
  ...WHOLE.map(([protocol, name, body]) => [protocol, name, JSON.stringify(body), false] as const),
];

describe('a call that is withheld is written down as a refused one', () => {
  test.each(WRITTEN)('%s: %s', async (protocol, name, body, stream) => {
    const { answered, audit, calls, metrics, traffic } = await logged(protocol, stream, body);
    const refused = calls.filter(({ verdict }) => verdict === 'refused');
    expect(refused).toHaveLength(1);
    expect(audit.filter(({ kind }) => kind === 'call-refuse')).toHaveLength(1);
    const reason = refused[0]?.reason ?? '';
    expect(metrics).toContain(
      `toolgate_tool_calls_total{origin="llm",verdict="refused",reason="${reason}"} 1`,
    );
    expect(traffic[0]?.calls).toBe(calls.length);
    if (!UNREAD.test(name)) return;
    expect(refused[0]).toMatchObject({ reason: 'call_unread', tool: 'delete_db' });
    expect(refused[0]).not.toHaveProperty('argumentsBytes');
    expect(traffic[0]?.losses).toContainEqual(
      expect.objectContaining({ code: 'dropped', severity: 'warning' }),
    );
    if (!stream) expect(answered.headers['toolgate-loss']).toBe('1');
  });

  test('once, however many pieces it comes in', async () => {
    const piece = (more: object) =>
      chat([delta({ tool_calls: [{ index: 0, function: { arguments: '{', ...more } }] }, null, 1)]);
    const body = sse([
      piece({ name: 'delete_db' }),
      piece({}),
      piece({}),
      chat([delta({}, 'stop')]),
      '[DONE]',
    ]);
    const { calls } = await logged('openai-chat', true, body);
    expect(calls).toHaveLength(1);
  });

  test('once for each of several calls of one answer of Gemini', async () => {
    const call = (name: string) => ({
      candidates: [{ index: 1, content: { parts: [{ functionCall: { name, args: {} } }] } }],
    });
    const end = { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] };
    const { calls } = await logged('gemini', true, sse([call('delete_db'), call('drop_db'), end]));
    expect(calls.map(({ tool }) => tool).sort()).toEqual(['delete_db', 'drop_db']);
  });

  test('as an observed one where it went by, and as no loss', async () => {
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough: true }];
    const [, , body = ''] = STREAMS.find(([, name]) => name === 'in a second answer') ?? [];
    const { calls, traffic } = await logged('openai-chat', true, body, { routes });
    expect(calls).toMatchObject([{ verdict: 'observed', reason: 'call_unread', tool: 'delete_db' }]);
    expect(traffic[0]?.losses).toEqual([]);
  });
});
