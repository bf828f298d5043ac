import type { JsonObject } from '@toolgate/core';
import type { ModelEvent, Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test-support/ask-raw.ts';
import { withGateway } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson, startRawProvider } from '../../../test-support/raw-provider.ts';
import { basePath, readStream, surfacePath, turnEvents } from '../../../test-support/wire-samples.ts';

const THOUGHT: readonly ModelEvent[] = [
  { kind: 'reasoning-start', index: 0 },
  { kind: 'reasoning-delta', index: 0, text: 'Hm, a thought.' },
  { kind: 'reasoning-end', index: 0 },
];
const thinking = (events: readonly ModelEvent[]): readonly ModelEvent[] => {
  const later = events.map((event) =>
    'index' in event ? { ...event, index: (event.index ?? 0) + 1 } : event,
  );
  return [...later.slice(0, 1), ...THOUGHT, ...later.slice(1)] as readonly ModelEvent[];
};

/** The request that opens a conversation, or the one after an answer that a client of the protocol got as a text. */
function bodyOf(surface: Protocol, stream: boolean, answer?: string): JsonObject {
  if (surface === 'anthropic') {
    const tools = [{ name: 'find', input_schema: { type: 'object' } }];
    const asked = { model: 'm', max_tokens: 50, stream, tools };
    const messages: JsonObject[] = [{ role: 'user', content: 'hi' }];
    if (answer === undefined) return { ...asked, messages };
    const content = stream ? blocksOf(answer) : (JSON.parse(answer) as { content: JsonObject[] }).content;
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'ok' };
    return {
      ...asked,
      messages: [...messages, { role: 'assistant', content }, { role: 'user', content: [result] }],
    };
  }
  const tools = [{ type: 'function', name: 'find', parameters: { type: 'object' } }];
  const input: JsonObject[] = [{ role: 'user', content: 'hi' }];
  if (answer === undefined) return { model: 'm', stream, tools, input };
  const { output } = stream ? finalOf(answer) : (JSON.parse(answer) as { output: JsonObject[] });
  const result = { type: 'function_call_output', call_id: 'c1', output: 'ok' };
  return { model: 'm', stream, tools, input: [...input, ...output, result] };
}

const dataOf = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Record<string, never>);

function finalOf(text: string): { output: JsonObject[] } {
  return dataOf(text).at(-1)?.['response'] ?? { output: [] };
}

/** The blocks of a stream as a client puts them together. */
function blocksOf(text: string): JsonObject[] {
  const signature = /"signature_delta","signature":"([^"]*)"/.exec(text)?.[1] ?? '';
  const call = readStream('anthropic', text).find(({ kind }) => kind === 'call-end');
  const id = call?.kind === 'call-end' ? call.callId : '';
  return [
    { type: 'thinking', thinking: 'Hm, a thought.', signature },
    { type: 'tool_use', id, name: 'find', input: { path: 'a' } },
  ];
}

test.each<[Protocol, boolean]>([
  ['anthropic', false],
  ['anthropic', true],
  ['openai-responses', false],
  ['openai-responses', true],
])('a thought that another provider had is not sent to one of %s (streamed: %s)', async (surface, stream) => {
  const events = turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]);
  const first = await startRawProvider(sendJson('{}', 500), answerOf(surface, stream, turnEvents([])));
  const second = await startRawProvider(answerOf('openai-chat', stream, thinking(events)));
  const routes = [
    {
      model: 'm',
      strict: false,
      candidates: [
        { provider: 'first', model: undefined },
        { provider: 'second', model: undefined },
      ],
    },
  ];
  const providers = {
    first: { protocol: surface, baseUrl: `${first.origin}${basePath(surface)}` },
    second: { protocol: 'openai-chat', baseUrl: `${second.origin}/v1` },
  } as const;
  try {
    await withGateway({ providers, routes }, async ({ url }) => {
      const address = `${url}${surfacePath(surface, stream)}`;
      const { body } = await post(address, JSON.stringify(bodyOf(surface, stream)));
      expect(body).toContain('Hm, a thought.');
      const next = JSON.stringify(bodyOf(surface, stream, body));
      expect(next).toContain('Hm, a thought.');
      await post(address, next);
      const sent = first.requests.at(-1)?.body.toString() ?? '';
      expect(sent).not.toMatch(/Hm, a thought|"thinking"|"reasoning"/);
      expect(sent).toMatch(/"tool_use"|"function_call"/);
      expect(sent).toContain('c1');
    });
  } finally {
    await first.close();
    await second.close();
  }
});
