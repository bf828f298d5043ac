import { codecOf, type ToolChoice } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, exchange, textOf } from '../../../test-support/ask-raw.ts';
import { PAIRS, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';
import { REPLACEMENT_MARK } from './replacement-text.ts';

const GOOD = { id: 'c1', arguments: '{"path":"a"}' };
const WRONG = { id: 'c2', arguments: '{"path":7}' };
const DOUBLE = { id: 'c3', arguments: '{"path":"a","path":"b"}' };
const UNKNOWN = { id: 'c4', arguments: '{"path":"a"}', name: 'rm' };

const STREAMS = [true, false];

describe.each(PAIRS)('calls for a client of %s from a provider of %s', (surface, backend) => {
  test.each(STREAMS)('that break the client’s schema become a marked text (streamed: %s)', async (stream) => {
    const turns = [turnEvents([WRONG])];
    await exchange({ surface, backend, stream, turns }, async ({ answered, gateway, response }) => {
      expect(answered.status).toBe(200);
      expect(callsOf(response)).toEqual([]);
      expect(textOf(response)).toBe(
        `Looking ü\n\n${REPLACEMENT_MARK} A tool call of the model was withheld (arguments_rejected).`,
      );
      expect(response.finish).toBe('stop');
      // A client of Chat that does not ask for usage gets none with a stream.
      const hidden = stream && surface === 'openai-chat';
      if (hidden) expect(response.usage).toBeNull();
      else expect(response.usage).toMatchObject({ inputTotal: 12, outputTotal: 7 });
      expect(gateway.traffic).toMatchObject([{ usage: { inputTotal: 12, outputTotal: 7 } }]);
      expect(answered.body).not.toContain('find');
      expect(answered.body).not.toMatch(/tool_calls":\s*\[|tool_use|functionCall/);
      expect(gateway.traffic).toMatchObject([{ finish: 'stop', calls: 1, status: 200 }]);
    });
  });

  test('that the client’s choice does not let the model make are withheld', async () => {
    const schema = { type: 'object' };
    const tools = ['find', 'rm'].map((name) => ({ kind: 'function', name, parameters: schema }) as const);
    const choices: readonly [ToolChoice, readonly string[]][] = [
      [{ mode: 'none' }, []],
      [{ mode: 'named', name: 'find' }, ['find']],
      [{ mode: 'any' }, ['find', 'rm']],
    ];
    for (const [toolChoice, passed] of choices) {
      const items = [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }] as const;
      const call = { model: 'm', items, tools, toolChoice, stream: false };
      const { body } = codecOf(surface).encodeRequest(call).value;
      const turns = [turnEvents([GOOD, UNKNOWN])];
      await exchange({ surface, backend, stream: false, turns, bodies: [body] }, ({ response }) => {
        expect(callsOf(response).map(([name]) => name)).toEqual(passed);
        expect(textOf(response).includes('(tool_unavailable)')).toBe(passed.length < 2);
      });
    }
  });

  test.each(STREAMS)('keep their order when one of them is withheld (streamed: %s)', async (stream) => {
    const last = { ...GOOD, id: 'c9', arguments: '{"path":"z"}' };
    const turns = [turnEvents([GOOD, WRONG, last])];
    await exchange({ surface, backend, stream, turns }, ({ response }) => {
      expect(callsOf(response)).toEqual([
        ['find', GOOD.arguments],
        ['find', last.arguments],
      ]);
      expect(response.finish).toBe('tool-calls');
      expect(textOf(response)).toContain('(arguments_rejected)');
    });
  });
});

describe('the firewall', () => {
  const CASES = [
    ['an unknown name', UNKNOWN, 'tool_unavailable'],
    ['a wrong type', WRONG, 'arguments_rejected'],
    ['a missing member', { id: 'c', arguments: '{}' }, 'arguments_rejected'],
    ['no object', { id: 'c', arguments: '[]' }, 'arguments_not_object'],
    ['a duplicate member', DOUBLE, 'arguments_malformed'],
    ['half a text', { id: 'c', arguments: '{"path":"a' }, 'arguments_malformed'],
    ['a forbidden member', { id: 'c', arguments: '{"path":"a","__proto__":{}}' }, 'arguments_malformed'],
    [
      'an integer that a double rounds',
      { id: 'c', arguments: '{"path":"a","n":9007199254740993}' },
      'arguments_malformed',
    ],
  ] as const;

  test.each(CASES)('withholds a call with %s, and says so in the call log', async (_, call, reason) => {
    const turns = [turnEvents([call])];
    await exchange(
      { surface: 'openai-chat', backend: 'openai-chat', stream: true, turns },
      async (exchanged) => {
        const { gateway, response } = exchanged;
        expect(callsOf(response)).toEqual([]);
        expect(textOf(response)).toContain(`(${reason})`);
        await gateway.stores.calls.flush();
        expect((await gateway.stores.calls.list()).items).toMatchObject([
          { verdict: 'refused', reason, place: 'm' },
        ]);
      },
    );
  });

  test('withholds the second call with an id of the same turn', async () => {
    const turns = [turnEvents([GOOD, { ...GOOD, arguments: '{"path":"b"}' }])];
    await exchange({ surface: 'anthropic', backend: 'anthropic', stream: true, turns }, ({ response }) => {
      expect(callsOf(response)).toEqual([['find', GOOD.arguments]]);
      expect(textOf(response)).toContain('(call_id_duplicate)');
    });
  });

  test.each([
    ['the key allows no tool', { grants: { toolsDefault: 'deny' } }],
    ['the key denies the tool', { grants: { deny: ['find'] } }],
    ['the key allows another tool', { grants: { toolsDefault: 'deny', allow: ['other'] } }],
    ['the route denies the tool', { routes: [route({ scope: { allow: [], deny: ['find'] } })] }],
    ['the route allows another tool', { routes: [route({ scope: { allow: ['other'], deny: [] } })] }],
    [
      'the key allows no tool, and the route only observes',
      {
        grants: { toolsDefault: 'deny' },
        routes: [route({ mode: 'observe' })],
      },
    ],
  ] as const)('does not offer a tool, nor let its call through, when %s', async (_, setup) => {
    const turns = [turnEvents([GOOD])];
    await exchange(
      { surface: 'openai-chat', backend: 'openai-chat', stream: false, turns, setup },
      (exchanged) => {
        const { provider, response } = exchanged;
        expect(JSON.parse(provider.requests[0]?.body.toString() ?? '')).not.toHaveProperty('tools');
        expect(callsOf(response)).toEqual([]);
        expect(textOf(response)).toContain('(tool_unavailable)');
        expect(response.finish).toBe('stop');
      },
    );
  });

  test('lets a tool through that a denying key names', async () => {
    const setup = { grants: { toolsDefault: 'deny', allow: ['find'] } } as const;
    const turns = [turnEvents([GOOD])];
    await exchange(
      { surface: 'gemini', backend: 'openai-chat', stream: true, turns, setup },
      ({ response }) => {
        expect(callsOf(response)).toEqual([['find', GOOD.arguments]]);
      },
    );
  });

  test('lets everything through where it only observes, and writes it down', async () => {
    const setup = { routes: [route({ mode: 'observe' })] };
    const turns = [turnEvents([WRONG])];
    await exchange(
      { surface: 'openai-chat', backend: 'openai-chat', stream: true, turns, setup },
      async (exchanged) => {
        const { gateway, response } = exchanged;
        expect(callsOf(response)).toEqual([['find', WRONG.arguments]]);
        await gateway.stores.calls.flush();
        expect((await gateway.stores.calls.list()).items).toMatchObject([
          { verdict: 'observed', reason: 'arguments_rejected' },
        ]);
      },
    );
  });

  test.each([
    ['refuses', (): boolean => false],
    [
      'throws',
      (): boolean => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['answers something else', () => 'yes' as never],
  ])('withholds a call when the application’s authorizer %s', async (_, authorize) => {
    const turns = [turnEvents([GOOD])];
    const setup = { options: { authorize } };
    await exchange(
      { surface: 'openai-chat', backend: 'anthropic', stream: true, turns, setup },
      ({ response }) => {
        expect(callsOf(response)).toEqual([]);
        expect(textOf(response)).toContain('(not_authorized)');
      },
    );
  });

  test('asks the authorizer about the exact call of the exact caller', async () => {
    const asked: unknown[] = [];
    const setup = {
      options: {
        authorize: (question: {
          arguments: unknown;
          context: { route: string; principal: { id: string } };
        }) => {
          asked.push([question.arguments, question.context.route, question.context.principal.id]);
          return Promise.resolve(true);
        },
      },
    };
    const turns = [turnEvents([GOOD])];
    await exchange(
      { surface: 'openai-chat', backend: 'anthropic', stream: true, turns, setup },
      ({ response }) => {
        expect(callsOf(response)).toEqual([['find', GOOD.arguments]]);
        expect(asked).toEqual([[{ path: 'a' }, 'm', 'ana']]);
      },
    );
  });
});

function route(firewall: Parameters<typeof testFirewall>[0]) {
  return { model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall(firewall) };
}
