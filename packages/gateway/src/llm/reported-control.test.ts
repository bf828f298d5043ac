import type { JsonObject } from '@toolgate/core';
import { codecOf, type ModelCall, PROTOCOLS, type Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../test-support/ask-raw.ts';
import { PAIRS, testFirewall } from '../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents } from '../../test-support/raw-provider.ts';
import { hasSign } from '../../test-support/signs-of-life.ts';
import { surfacePath, turnEvents, wireStream } from '../../test-support/wire-samples.ts';
import { REPLACEMENT_MARK } from './firewall/replacement-text.ts';

const TOOLS: ModelCall['tools'] = [
  { kind: 'function', name: 'delete_db', description: 'Deletes', parameters: { type: 'object' } },
];
const ASKED: ModelCall = {
  model: 'm',
  stream: true,
  limits: { maxOutputTokens: 100 },
  tools: TOOLS,
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'clean up' }] }],
};

function bodyOf(protocol: Protocol, call: ModelCall): string {
  return JSON.stringify(codecOf(protocol).encodeRequest(call).value.body);
}

test.each(PAIRS)(
  'C256: a call that policy denies is a fixed text for %s, and the history of %s replays without it',
  async (surface, backend) => {
    const denied = { id: 'c1', name: 'delete_db', arguments: '{"name":"all"}' };
    const answers = [turnEvents([denied]), turnEvents([])].map((turn) =>
      sendEvents(wireStream(backend, turn)),
    );
    const setup = {
      routes: [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall() }],
      options: { authorize: () => false },
    };
    await withRawProvider(backend, answers, setup, async ({ url }, provider) => {
      const address = `${url}${surfacePath(surface, true)}`;
      const first = await post(address, bodyOf(surface, ASKED));
      expect(first.body).not.toMatch(/delete_db|"all"/);
      const response = readAnswer(surface, true, first.body);
      expect(callsOf(response)).toEqual([]);
      expect(response.finish).toBe('stop');
      const fixed = `${REPLACEMENT_MARK} A tool call of the model was withheld (not_authorized).`;
      expect(textOf(response)).toBe(`Looking ü\n\n${fixed}`);
      const more = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'and now?' }] } as const;
      const longer = { ...ASKED, items: [...ASKED.items, ...response.items, more] };
      const second = await post(address, bodyOf(surface, longer));
      expect(textOf(readAnswer(surface, true, second.body))).toBe('Looking ü');
      const sent = JSON.parse(provider.requests[1]?.body.toString('utf8') ?? '') as JsonObject;
      const replayed = codecOf(backend).decodeRequest(sent, { model: 'm', stream: true }).value.items;
      expect(replayed.map(({ kind }) => kind).filter((kind) => kind !== 'message')).toEqual([]);
      expect(JSON.stringify(replayed)).toContain('(not_authorized)');
    });
  },
);

const PUBLISHED = [{ id: 'c1', name: 'attempt_completion', arguments: '{"result":"All done ü"}' }] as const;

test.each(PROTOCOLS)(
  'C254: the connection is kept alive while a control call is held back, for %s',
  async (protocol) => {
    const silent = turnEvents(PUBLISHED).filter((event) => !('index' in event) || event.index !== 0);
    const pieces = wireStream(protocol, silent);
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    // All of the call is there, and only the end of the turn is missing.
    const answer: RawAnswer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(pieces.slice(0, -1).join(''));
      await waits;
      response.end(pieces.at(-1));
    };
    const control = { tool: 'attempt_completion' as const };
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], control }];
    await withRawProvider(protocol, [answer], { routes, options: { keepAliveMs: 10 } }, async ({ url }) => {
      const open = await openPost(`${url}${surfacePath(protocol, true)}`, bodyOf(protocol, ASKED));
      const seen: string[] = [];
      let read = '';
      open.response.on('data', (piece: Buffer) => {
        read += piece.toString();
        if (piece.includes('All done')) seen.push('published');
        else if (hasSign(read)) {
          seen.push('alive');
          go();
        }
      });
      const { body, broken } = await open.rest();
      expect(broken).toBe(false);
      expect(body).not.toContain('attempt_completion');
      expect(textOf(readAnswer(protocol, true, body))).toBe('All done ü');
      expect(seen[0]).toBe('alive');
      expect(seen).toContain('published');
    });
  },
  20_000,
);

const OWN_ID = 'call-3898\nfc_d9dc';
/** What the wires take as an id. */
const WIRE_ID = /^[a-zA-Z0-9_-]{1,64}$/;

test.each(['anthropic', 'openai-responses', 'gemini'] as const)(
  'C301: an id with a line feed in it is one that %s takes, call and result alike, and stays the client’s own',
  async (backend) => {
    const messages: readonly JsonObject[] = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        tool_calls: [{ id: OWN_ID, type: 'function', function: { name: 'delete_db', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: OWN_ID, content: 'gone' },
    ];
    const request = JSON.parse(bodyOf('openai-chat', ASKED)) as JsonObject;
    const next = [{ id: 'call_9', name: 'delete_db', arguments: '{"name":"b"}' }];
    const answers = [turnEvents(next), turnEvents([])].map((turn) => sendEvents(wireStream(backend, turn)));
    await withRawProvider(backend, answers, {}, async ({ url }, provider) => {
      const ask = async (asked: readonly JsonObject[]) => {
        const { body } = await post(
          `${url}/v1/chat/completions`,
          JSON.stringify({ ...request, messages: asked }),
        );
        return readAnswer('openai-chat', true, body);
      };
      const answered = await ask(messages);
      const [call] = answered.items.filter(({ kind }) => kind === 'tool-call');
      expect(call).toMatchObject({ name: 'delete_db' });
      const callId = call?.kind === 'tool-call' ? call.callId : '';
      await ask([
        ...messages,
        {
          role: 'assistant',
          tool_calls: [
            { id: callId, type: 'function', function: { name: 'delete_db', arguments: '{"name":"b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: callId, content: 'gone, too' },
      ]);
      const pairs = provider.requests.map(({ body }) => {
        const sent = JSON.parse(body.toString('utf8')) as JsonObject;
        const { items } = codecOf(backend).decodeRequest(sent, { model: 'm', stream: true }).value;
        return items.flatMap((item) =>
          item.kind === 'tool-call' || item.kind === 'tool-result' ? [item.callId] : [],
        );
      });
      const [first = [], second = []] = pairs;
      expect(first).toHaveLength(2);
      expect(first[0]).toMatch(WIRE_ID);
      expect(first[1]).toBe(first[0]);
      // The same id on the wire in each request, so that what the provider has cached stays true.
      expect(second.slice(0, 2)).toEqual(first);
      expect(second[2]).toBe(second[3]);
      expect(second[2]).not.toBe(second[0]);
    });
  },
);
