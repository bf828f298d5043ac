import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { data } from '../../../test-support/honest/events.ts';
import { post } from '../../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../../test-support/wire-samples.ts';

/** C517: when an answer was made, in seconds, whatever its provider says of that. */

const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';

/** An answer of a provider of Chat with what it calls its time. */
function chatAnswer(stream: boolean, created: unknown): RawAnswer {
  const head = { id: 'a', model: 'up', ...(created === undefined ? {} : { created }) };
  if (!stream) {
    const message = { role: 'assistant', content: 'Hi' };
    return sendJson(JSON.stringify({ ...head, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  }
  const chunk = (delta: object, finish: string | null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return sendEvents([data(chunk({ content: 'Hi' }, null), chunk({}, 'stop'))]);
}

/** The times that a client reads, each once. */
async function times(
  surface: Protocol,
  backend: Protocol,
  stream: boolean,
  answer: RawAnswer,
): Promise<readonly number[]> {
  return withRawProvider(backend, [answer], {}, async (gateway) => {
    const url = `${gateway.url}${surfacePath(surface, stream)}`;
    const { body } = await post(url, oddRequest(surface, stream));
    const found = body.matchAll(/"created(?:_at)?": ?([0-9.]+)/g);
    return [...new Set([...found].map(([, time]) => Number(time)))];
  });
}

test.each([
  [1_700_000_000, true],
  [1_700_000_000_123, true],
  [1_700_000_000_123, false],
  [1_700_000_000_123_456, true],
])(
  'a time of a provider of Chat is one in seconds for a client of Responses: %j (streamed: %j)',
  async (time, stream) => {
    expect(await times(RESPONSES, CHAT, stream, chatAnswer(stream, time))).toEqual([1_700_000_000]);
  },
);

test.each([
  [undefined, true],
  [undefined, false],
  [0, true],
  [null, false],
  ['soon', true],
])(
  'an answer without a time that can be read has the one at which it came: %j (streamed: %j)',
  async (time, stream) => {
    const before = Math.floor(Date.now() / 1_000);
    const [found = 0, ...more] = await times(RESPONSES, CHAT, stream, chatAnswer(stream, time));
    expect(more).toEqual([]);
    expect(found).toBeGreaterThanOrEqual(before);
    expect(found).toBeLessThanOrEqual(Date.now() / 1_000);
  },
);

test.each<[Protocol, Protocol, boolean]>([
  ['anthropic', CHAT, true],
  ['anthropic', RESPONSES, false],
  ['gemini', CHAT, false],
  ['gemini', RESPONSES, true],
])(
  'an answer of %s, which has no time, has one for a client of %s (streamed: %j)',
  async (backend, surface, stream) => {
    const before = Math.floor(Date.now() / 1_000);
    const events = turnEvents([]);
    const answer = stream ? sendEvents(wireStream(backend, events)) : sendJson(wireAnswer(backend, events));
    const [found = 0, ...more] = await times(surface, backend, stream, answer);
    expect(more).toEqual([]);
    expect(found).toBeGreaterThanOrEqual(before);
  },
);

test('the bytes of a provider stay what they are', async () => {
  expect(await times(CHAT, CHAT, true, chatAnswer(true, 1_700_000_000_123))).toEqual([1_700_000_000_123]);
});
