import { describe, expect, test } from 'vitest';
import { callDirectly, callerOf, mountFixture, rejection, textOf } from '../../test-support/mount-fixture.ts';
import { type HttpRequest, json, scriptedHttp } from '../../test-support/scripted-http.ts';
import { plainTool } from '../../test-support/scripted-server.ts';

/** How a server writes one message into the body of an answer. */
interface Writing {
  readonly type: string;
  readonly write: (message: string) => string;
}

const plain: Writing = { type: 'application/json', write: (message) => message };
const events: Writing = { type: 'text/event-stream', write: (message) => `data: ${message}\n\n` };

/** A mounted server that answers each request with a text, in which `ID` stands for that of the request. */
async function mounted(
  answer: (request: HttpRequest) => string,
  { type, write }: Writing = plain,
  more: { readonly tool?: object; readonly lenient?: boolean } = {},
) {
  const server = await scriptedHttp([plainTool('work', more.tool)]);
  server.intercept = (request, response) => {
    if (request.method !== 'POST') return false;
    if (request.id === undefined) {
      response.writeHead(202).end();
      return true;
    }
    response.writeHead(200, { ...(type === '' ? {} : { 'content-type': type }), 'mcp-session-id': 's1' });
    response.end(write(answer(request).replaceAll('ID', JSON.stringify(request.id))));
    return true;
  };
  const mount = await mountFixture({
    transport: server.transport,
    limits: { closeGraceMs: 300 },
    ...(more.lenient === true ? { rules: [{ tool: '*', output: 'lenient' }] } : {}),
  });
  return { server, mount, call: await callerOf(mount) };
}

const resultOf = ({ rpc }: HttpRequest, called = '{"content":[{"type":"text","text":"done"}]}'): string => {
  if (rpc === 'tools/list') return JSON.stringify({ tools: [plainTool('work')] });
  const serverInfo = { name: 'odd', version: '1' };
  const handshake = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  return rpc === 'initialize' ? JSON.stringify(handshake) : called;
};
const answerOf = (request: HttpRequest, called?: string): string =>
  request.rpc === 'server/discover'
    ? '{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"x"}}'
    : `{"jsonrpc":"2.0","id":ID,"result":${resultOf(request, called)}}`;

describe('a server over HTTP is understood', () => {
  test.each<[string, Writing]>([
    ['calls its answers nothing', { ...plain, type: '' }],
    ['calls its answers plain text', { ...plain, type: 'text/plain; charset=utf-8' }],
    ['calls its streams JSON', { ...events, type: 'application/json' }],
    ['calls its streams nothing', { ...events, type: '' }],
    ['calls its streams a page', { ...events, type: 'text/html' }],
    ['writes its answers bare into its streams', { ...events, write: (message) => message }],
    [
      'writes its answers bare and in lines into its streams',
      { ...events, write: (message) => `: hello\n\n${JSON.stringify(JSON.parse(message), null, 2)}\n\n` },
    ],
    ['ends its streams without an empty line', { ...events, write: (message) => `data: ${message}` }],
    ['ends its lines with carriage returns', { ...events, write: (message) => `data: ${message}\r\r` }],
    ['writes lists of one message', { ...plain, write: (message) => `[${message}]` }],
    [
      'writes lists of one message into its streams',
      { ...events, write: (message) => `data: [${message}]\n\n` },
    ],
  ])('that %s', async (_what, writing) => {
    const { call } = await mounted(answerOf, writing);
    expect(textOf(await call('work'))).toBe('done');
  });

  test.each([plain, events])(
    'that writes both members of an answer, and null for what is not set: %j',
    async (writing) => {
      const { call } = await mounted((request) => {
        const { rpc } = request;
        if (rpc === 'server/discover')
          return '{"jsonrpc":"2.0","id":ID,"result":null,"error":{"code":-32601,"message":"x","data":null}}';
        const result = resultOf(request).replace(
          /\}$/,
          ',"_meta":null,"nextCursor":null,"structuredContent":null,"resultType":null}',
        );
        return `{"jsonrpc":"2.0","id":ID,"result":${result},"error":null}`;
      }, writing);
      expect(textOf(await call('work'))).toBe('done');
    },
  );

  test.each([plain, events])('that says no to a request without saying to which: %j', async (writing) => {
    const { call } = await mounted(
      (request) =>
        request.rpc === 'tools/call'
          ? '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"x"}}'
          : answerOf(request),
      writing,
    );
    const outcome = await call('work');
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', expect.stringContaining('refused the call')]);
  });
});

test.each([plain, events])(
  'an answer with a number that JSON does not have cannot be used, at once: %j',
  async (writing) => {
    const { call, mount } = await mounted(
      (request) =>
        request.rpc === 'tools/call'
          ? '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"mean":NaN}}}'
          : answerOf(request),
      writing,
    );
    expect((await call('work')).reason).toBe('output_invalid');
    expect(mount.report.problems).toMatchObject([{ code: 'mcp/result-invalid' }]);
  },
);

test.each([
  ['answers another request', '{"jsonrpc":"2.0","id":99,"result":{"content":[]}}'],
  ['says nothing', '{"jsonrpc":"2.0","id":ID,"result":null}'],
  ['says two things', '{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"error":{"code":1,"message":"x"}}'],
])('a body that %s is a result that cannot be used, at once', async (_what, said) => {
  const { call } = await mounted((request) => (request.rpc === 'tools/call' ? said : answerOf(request)));
  expect((await call('work')).reason).toBe('output_invalid');
});

test.each([
  ['nothing', {}],
  ['null', { resultType: null, ttlMs: null, cacheScope: null }],
  ['something else', { ttlMs: -1, cacheScope: 'session' }],
])(
  'a server of the newest revision that says %s about caches and kinds of results is understood',
  async (_what, said) => {
    const { call, mount } = await mounted(({ rpc }) => {
      const results: Record<string, object> = {
        'server/discover': {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          resultType: 'complete',
        },
        'tools/list': { tools: [plainTool('work')], nextCursor: null, ...said },
      };
      const result = results[rpc] ?? { content: [{ type: 'text', text: 'done' }], ...said };
      return `{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify(result)}}`;
    });
    expect(mount.report.protocolVersion).toBe('2026-07-28');
    expect(textOf(await call('work'))).toBe('done');
  },
);

test.each([200, 204])('a server that says %j to what has no answer is listened to', async (status) => {
  const server = await scriptedHttp([plainTool('work')]);
  const listened = new Promise<void>((resolve) => {
    server.intercept = ({ method, rpc }, response) => {
      if (method === 'GET') resolve();
      if (rpc !== 'notifications/initialized') return false;
      response.writeHead(status).end();
      return true;
    };
  });
  await mountFixture({ transport: server.transport, limits: { closeGraceMs: 300 } });
  await expect(listened).resolves.toBeUndefined();
});

test.each([
  ['under a token of its own', { progressToken: 'tool-call-4', progress: 1 }],
  ['under no token', { progress: 1 }],
  ['with numbers that are texts', { progressToken: 'ID', progress: '1', total: '9' }],
  ['with a message that is none', { progressToken: 'ID', progress: 1, message: {} }],
])('progress that is told %s keeps a call alive', async (_what, params) => {
  const server = await scriptedHttp([plainTool('work')]);
  let answer: () => void = () => undefined;
  server.intercept = ({ rpc, id }, response) => {
    if (rpc !== 'tools/call') return false;
    const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const said = JSON.parse(JSON.stringify(params).replace('"ID"', JSON.stringify(id)));
    response.write(event({ method: 'notifications/progress', params: said }));
    answer = () => response.end(event({ id, result: { content: [] } }));
    return true;
  };
  const mount = await mountFixture({ transport: server.transport });
  const told: number[] = [];
  const calling = callDirectly(mount, 'work', {}, { progress: ({ progress }) => void told.push(progress) });
  await expect.poll(() => told).toEqual([1]);
  answer();
  await calling;
});

test.each(['initialize', 'tools/list'])(
  'a stream that ends without the answer to %s is no server, at once',
  async (lost) => {
    const server = await scriptedHttp([plainTool('work')]);
    server.intercept = ({ rpc }, response) => {
      if (rpc !== lost) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('Jwt issuer is not configured');
      return true;
    };
    const error = await rejection(mountFixture({ transport: server.transport }));
    expect(error).toMatchObject({ message: expect.stringContaining('what is no message of the protocol') });
    expect(server.of(lost)).toHaveLength(1);
  },
);

test.each([
  ['a block', (deep: string) => `{"content":${deep}}`],
  ['a text', (deep: string) => `{"content":[{"type":"text","text":${deep}}]}`],
  ['a structure', (deep: string) => `{"content":[{"type":"text","text":"x"}],"structuredContent":${deep}}`],
  ['a structure alone', (deep: string) => `{"content":[],"structuredContent":${deep}}`],
  ['a result', (deep: string) => `{"done":${deep}}`],
  ['the structure of an error', (deep: string) => `{"isError":true,"structuredContent":${deep}}`],
])('%s that is nested without an end cannot be used, and the next call works', async (_what, result) => {
  const results = [
    result('['.repeat(50_000) + ']'.repeat(50_000)),
    '{"content":[{"type":"text","text":"fine"}]}',
  ];
  const { call } = await mounted((request) =>
    request.rpc === 'tools/call' ? answerOf(request, results.shift()) : answerOf(request),
  );
  expect((await call('work')).kind).toBe('failed');
  expect(textOf(await call('work'))).toBe('fine');
});

describe('a notice that a server refuses', () => {
  const refusing = async (status: number) => {
    const server = await scriptedHttp([plainTool('work')]);
    server.intercept = ({ rpc }, response) =>
      rpc === 'notifications/initialized' && json(response, status, { error: 'no' });
    return server;
  };

  test.each([400, 404, 405, 500, 501, 502])(
    'with the state %j is told, and costs nothing else',
    async (status) => {
      const { transport } = await refusing(status);
      const mount = await mountFixture({ transport });
      expect(textOf(await (await callerOf(mount))('work'))).toBe('done');
      expect(mount.report.problems).toMatchObject([
        { code: 'mcp/protocol', message: `The server refused a notice with the state ${status}.` },
      ]);
    },
  );

  test.each([401, 403])('for want of a login (%j) is no connection', async (status) => {
    const { transport } = await refusing(status);
    const error = await rejection(mountFixture({ transport }));
    expect(error).toMatchObject({ code: 'mcp/unauthorized' });
  });
});

describe('an integer that no double holds', () => {
  const large = '{"id":1915883588174806058}';
  const exact = { id: '1915883588174806058' };
  const schema = (type: string) => ({ outputSchema: { type: 'object', properties: { id: { type } } } });
  const called = (tool: object, lenient: boolean, result = `{"content":[],"structuredContent":${large}}`) =>
    mounted(
      (request) =>
        request.rpc === 'tools/list'
          ? `{"jsonrpc":"2.0","id":ID,"result":${JSON.stringify({ tools: [plainTool('work', tool)] })}}`
          : answerOf(request, result),
      plain,
      { lenient },
    );

  test.each<[string, object, boolean]>([
    ['is no part of a schema', {}, false],
    ['may be a text', schema('string'), false],
    ['should be an integer, where the rule is lenient', schema('integer'), true],
  ])('comes as its digits where it %s', async (_what, tool, lenient) => {
    const { call } = await called(tool, lenient);
    const outcome = await call('work');
    expect(textOf(outcome)).toBe(JSON.stringify(exact));
    expect(outcome).toMatchObject({ kind: 'completed', output: { structured: exact } });
  });

  test('is never rounded for a schema that wants an integer: the result cannot be used', async () => {
    const { call } = await called(schema('integer'), false);
    expect((await call('work')).reason).toBe('output_invalid');
  });

  test('comes as its digits with an error, too', async () => {
    const { mount } = await called({}, false, `{"isError":true,"structuredContent":${large}}`);
    expect(await rejection(callDirectly(mount, 'work'))).toMatchObject({ kind: 'failed' });
    expect(textOf(await (await callerOf(mount))('work'))).toBe(JSON.stringify(exact));
  });
});

describe('a server that refuses the offered revision', () => {
  const refusing = async (status: number, known: string) => {
    const server = await scriptedHttp([plainTool('work')]);
    server.intercept = ({ rpc, id, offered }, response) => {
      if (rpc !== 'initialize' || offered === known) return false;
      const error = { code: -32_602, message: 'Unsupported protocol version', data: { supported: [known] } };
      return json(response, status, { jsonrpc: '2.0', id, error });
    };
    return server;
  };

  test.each([200, 400])('is offered the one that it knows (state %j)', async (status) => {
    const server = await refusing(status, '2025-06-18');
    const mount = await mountFixture({ transport: server.transport, limits: { closeGraceMs: 300 } });
    expect(textOf(await (await callerOf(mount))('work'))).toBe('done');
    expect(server.of('initialize').map(({ offered }) => offered)).toEqual(['2025-11-25', '2025-06-18']);
  });

  test('is not offered one where this client was told which one to speak, or does not know it', async () => {
    for (const [known, protocol] of [
      ['2020-01-01', 'auto'],
      ['2025-06-18', { pin: '2026-07-28' }],
    ] as const) {
      const { transport } = await refusing(400, known);
      expect(await rejection(mountFixture({ transport, protocol }))).toMatchObject({
        code: 'mcp/unavailable',
      });
    }
  });
});

test('a stream that breaks again before its first event is taken up where it was', async () => {
  const server = await scriptedHttp([plainTool('work')]);
  let id: unknown;
  const resumed: unknown[] = [];
  server.intercept = (request, response) => {
    const from = request.headers['last-event-id'];
    if (request.rpc !== 'tools/call' && from === undefined) return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.rpc === 'tools/call') {
      id = request.id;
      response.end('id: e1\nretry: 1\ndata: \n\n');
    } else {
      resumed.push(from);
      const result = { content: [{ type: 'text', text: 'at last' }] };
      response.end(resumed.length < 3 ? '' : `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    }
    return true;
  };
  const mount = await mountFixture({ transport: server.transport, limits: { closeGraceMs: 300 } });
  expect(textOf(await (await callerOf(mount))('work'))).toBe('at last');
  expect(resumed).toEqual(['e1', 'e1', 'e1']);
});
