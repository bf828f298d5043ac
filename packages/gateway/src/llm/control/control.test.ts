import type { JsonObject } from '@toolgate/core';
import { type ModelEvent, PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, exchange, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { PAIRS, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../../test-support/wire-samples.ts';

const setup = {
  routes: [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      control: { tool: 'attempt_completion' as const },
    },
  ],
};

const COMPLETION = { id: 'c1', name: 'attempt_completion', arguments: '{"result":"All done ü"}' };
const ORDINARY = { id: 'c2', arguments: '{"path":"a"}' };

/** A turn without text of its own. */
function silent(calls: Parameters<typeof turnEvents>[0]): readonly ModelEvent[] {
  return turnEvents(calls).filter((event) => !('index' in event) || event.index !== 0);
}

describe.each(PAIRS)('a control tool, for a client of %s before a provider of %s', (surface, backend) => {
  test.each([true, false])('is offered, captured and published as text (streamed: %s)', async (stream) => {
    const turns = [silent([COMPLETION])];
    await exchange({ surface, backend, stream, turns, setup }, ({ answered, provider, response }) => {
      const sent = provider.requests[0]?.body.toString('utf8') ?? '';
      expect(sent).toContain('attempt_completion');
      expect(callsOf(response)).toEqual([]);
      expect(textOf(response)).toBe('All done ü');
      expect(response.finish).toBe('stop');
      expect(answered.body).not.toContain('attempt_completion');
    });
  });

  test('leaves calls of the client’s own tools to the firewall', async () => {
    const turns = [turnEvents([ORDINARY])];
    await exchange({ surface, backend, stream: true, turns, setup }, ({ response }) => {
      expect(callsOf(response)).toEqual([['find', ORDINARY.arguments]]);
      expect(response.finish).toBe('tool-calls');
    });
  });
});

describe.each(PROTOCOLS)('a control tool that was not called, over %s on both sides', (protocol) => {
  test.each([true, false])('leaves the bytes of the answer as they are (streamed: %s)', async (stream) => {
    const events = turnEvents([ORDINARY, { id: 'c3', arguments: '{ "path":"\\u00e4" }' }]);
    await exchange(
      { surface: protocol, backend: protocol, stream, turns: [events], setup },
      ({ answered, provider }) => {
        expect(provider.requests[0]?.body.toString('utf8')).toContain('attempt_completion');
        const sent = stream ? wireStream(protocol, events).join('') : wireAnswer(protocol, events);
        // Any piece of a stream of Gemini may say the end, which is still to be decided then.
        if (protocol !== 'gemini' || !stream) expect(answered.body).toBe(sent);
      },
    );
  });

  test.each([true, false])('and then was, is in no byte of the answer (streamed: %s)', async (stream) => {
    const turns = [turnEvents([COMPLETION])];
    await exchange(
      { surface: protocol, backend: protocol, stream, turns, setup },
      ({ answered, response }) => {
        expect(textOf(response)).toBe('Looking ü');
        expect(callsOf(response)).toEqual([]);
        expect(answered.body).not.toContain('attempt_completion');
      },
    );
  });
});

describe('a control tool that OpenAI Responses says again with the request', () => {
  const protocol = 'openai-responses';
  const own = { type: 'function', name: 'find', parameters: { type: 'object' }, strict: true };
  /** An answer with the request that the provider was sent. */
  const withRequest = (sent: JsonObject, stream: boolean): RawAnswer => {
    const { instructions, tools } = sent;
    const echo = (response: object): object => ({ ...response, instructions, tools });
    if (!stream)
      return sendJson(
        JSON.stringify(echo(JSON.parse(wireAnswer(protocol, turnEvents([ORDINARY]))) as object)),
      );
    const frames = wireStream(protocol, turnEvents([ORDINARY])).map((frame) =>
      String(frame).replace(/^data: (\{.*\})$/m, (_, text: string) => {
        const said = JSON.parse(text) as { readonly response?: object };
        return `data: ${JSON.stringify(said.response === undefined ? said : { ...said, response: echo(said.response) })}`;
      }),
    );
    return sendEvents(frames);
  };

  test.each([
    [true, 'Be kind.'],
    [false, 'Be kind.'],
    [true, undefined],
    [false, undefined],
  ])('is in no byte of the answer (streamed: %s, instructions: %s)', async (stream, instructions) => {
    const body = JSON.stringify({ model: 'm', stream, input: 'go on', tools: [own], instructions });
    const answer: RawAnswer = (response, request) =>
      withRequest(JSON.parse(request.body.toString('utf8')) as JsonObject, stream)(response, request);
    await withRawProvider(protocol, [answer], setup, async (gateway, provider) => {
      const answered = await post(`${gateway.url}${surfacePath(protocol, stream)}`, body);
      expect(provider.requests[0]?.body.toString('utf8')).toContain('attempt_completion');
      expect(answered.status).toBe(200);
      expect(answered.body).not.toContain('attempt_completion');
      expect(answered.body).toContain(`"instructions":${JSON.stringify(instructions ?? null)}`);
      expect(answered.body).toContain('"name":"find"');
      expect(textOf(readAnswer(protocol, stream, answered.body))).toBe('Looking ü');
    });
  });
});

/** A conversation in which a tool has answered, so that an end without the control tool is asked about once. */
const WORKED = {
  'openai-chat': {
    model: 'm',
    stream: true,
    messages: [
      { role: 'user', content: 'go on' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'k1', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'k1', content: 'found' },
    ],
    tools: [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }],
  },
  anthropic: {
    model: 'm',
    max_tokens: 100,
    stream: true,
    messages: [
      { role: 'user', content: 'go on' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'k1', name: 'find', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'k1', content: 'found' }] },
    ],
    tools: [{ name: 'find', input_schema: { type: 'object' } }],
  },
} as const;

test.each([
  ['openai-chat', 'openai-chat'],
  ['anthropic', 'anthropic'],
  ['openai-chat', 'anthropic'],
] as const)(
  'a repair tells the model what is missing, and offers the tool again, from %s to %s',
  async (surface, backend) => {
    const turns = [turnEvents([]), silent([COMPLETION])];
    const bodies = [WORKED[surface]];
    await exchange(
      { surface, backend, stream: true, turns, setup, bodies },
      ({ answered, response, sent }) => {
        expect(sent).toHaveLength(2);
        const [first, second] = sent.map((body) => JSON.stringify(body));
        expect(second).toContain('attempt_completion');
        expect(second?.length).toBeGreaterThan(first?.length ?? 0);
        expect(second).toContain('Looking ü');
        expect(textOf(response)).toContain('All done ü');
        expect(answered.body).not.toContain('attempt_completion');
        // The end of the first attempt is not the client's to see.
        expect(answered.body.match(/"(?:finish|stop)_reason":"\w+"/g)).toHaveLength(1);
      },
    );
  },
);

test('a repair does not suffer from a connection of the attempt before that breaks behind its end', async () => {
  const protocol = 'openai-chat';
  let broken: Promise<void> | undefined;
  let breakFirst: () => void = () => undefined;
  const first: RawAnswer = async (response, request) => {
    broken = new Promise((resolve) => response.once('close', resolve));
    breakFirst = () => response.destroy();
    await sendEvents(wireStream(protocol, turnEvents([])), 'stay')(response, request);
  };
  const second: RawAnswer = async (response, request) => {
    const [start = '', ...rest] = wireStream(protocol, silent([COMPLETION]));
    await sendEvents([start], 'stay')(response, request);
    breakFirst();
    await broken;
    // Until the gateway has seen it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    response.end(rest.join(''));
  };
  await withRawProvider(protocol, [first, second], setup, async ({ url }, provider) => {
    const answered = await post(`${url}${surfacePath(protocol, true)}`, JSON.stringify(WORKED[protocol]));
    expect(provider.requests).toHaveLength(2);
    const response = readAnswer(protocol, true, answered.body);
    expect(response.finish).toBe('stop');
    expect(textOf(response)).toContain('All done ü');
  });
});

test('a hidden round after a refusal keeps the control tool, and tells the refusal', async () => {
  const routes = [{ ...setup.routes[0], firewall: testFirewall({ onRefusal: 'feedback' }) }];
  const wrong = { id: 'c7', arguments: '{"path":7}' };
  const turns = [turnEvents([wrong]), silent([COMPLETION])];
  const protocol = 'openai-chat';
  await exchange(
    { surface: protocol, backend: protocol, stream: true, turns, setup: { routes } },
    ({ response, sent }) => {
      expect(sent).toHaveLength(2);
      expect(JSON.stringify(sent[1])).toContain('attempt_completion');
      expect(JSON.stringify(sent[1])).toContain('c7');
      expect(textOf(response)).toContain('All done ü');
    },
  );
});

test.each(['openai-chat', 'anthropic', 'gemini'] as const)(
  'a control tool stands beside functions of namespaces at a provider of %s',
  async (backend) => {
    const find = { type: 'function', name: 'find', parameters: { type: 'object' } };
    const tools = [{ type: 'namespace', name: 'n', description: '', tools: [find] }];
    const bodies = [{ model: 'm', stream: true, input: 'x', tools }];
    const asked = { surface: 'openai-responses', backend, stream: true, setup, bodies } as const;
    const call = { ...ORDINARY, name: 'n__find' };
    await exchange({ ...asked, turns: [turnEvents([call])] }, ({ answered, response, sent }) => {
      expect(JSON.stringify(sent[0])).toMatch(/"n__find".*"attempt_completion"/);
      expect(callsOf(response)).toEqual([['find', ORDINARY.arguments]]);
      expect(answered.body).toContain('"namespace":"n"');
    });
    await exchange({ ...asked, turns: [silent([COMPLETION])] }, ({ response }) => {
      expect([callsOf(response), textOf(response)]).toEqual([[], 'All done ü']);
    });
  },
);

test('a control tool leaves the rest of the client’s body as it is', async () => {
  const protocol = 'openai-chat';
  const turns = [silent([COMPLETION])];
  await exchange({ surface: protocol, backend: protocol, stream: true, turns, setup }, ({ provider }) => {
    const sent = provider.requests[0]?.body.toString('utf8') ?? '';
    expect(sent).toContain('"x_unknown": 12345678901234567890');
    expect(sent).toContain('h\\u0069 ü');
    expect(sent.startsWith('{ "model":"m" ,')).toBe(true);
    expect(sent).not.toBe(oddRequest(protocol, true));
  });
});

test('a candidate that fails under a control tool is followed by the next one', async () => {
  const routes = [
    {
      ...setup.routes[0],
      candidates: [
        { provider: 'm', model: 'a' },
        { provider: 'm', model: 'b' },
      ],
    },
  ];
  const failed: readonly ModelEvent[] = [
    { kind: 'response-error', code: 'model/provider-error', message: 'no' },
  ];
  const turns = [failed, silent([COMPLETION])];
  const protocol = 'anthropic';
  await exchange(
    { surface: protocol, backend: protocol, stream: true, turns, setup: { routes } },
    (exchanged) => {
      expect(textOf(exchanged.response)).toBe('All done ü');
      expect(exchanged.gateway.traffic).toMatchObject([{ candidate: 'm/b', attempts: 2 }]);
    },
  );
});
