import type { JsonObject } from '@toolgate/core';
import { codecOf, PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { exchange, withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { surfacePath, turnEvents, wireAnswer } from '../../../test-support/wire-samples.ts';

/** As many examples of the API have it. */
const BODY: JsonObject = {
  system_instruction: { parts: { text: 'Be brief.' } },
  contents: { role: 'user', parts: { text: 'hi' } },
};

describe('a request of Gemini with an entry where its list should be', () => {
  test.each(PROTOCOLS)('is understood before %s', async (backend) => {
    const asked = {
      surface: 'gemini',
      backend,
      stream: false,
      turns: [turnEvents([])],
      bodies: [BODY],
    } as const;
    await exchange(asked, ({ answered, sent }) => {
      expect(answered.status).toBe(200);
      const call = codecOf(backend).decodeRequest(sent[0] ?? {}, { model: 'm' }).value;
      expect(JSON.stringify(call.items)).toContain('"text":"hi"');
      expect(JSON.stringify([call.instructions, call.items])).toContain('Be brief.');
      if (backend === 'gemini') expect(sent[0]).toEqual(BODY);
    });
  });

  test('is one with nothing in it where nothing is', async () => {
    const answer = sendJson(wireAnswer('gemini', turnEvents([])));
    await withRawProvider('gemini', [answer], {}, async ({ url }) => {
      const path = `${url}${surfacePath('gemini', false)}`;
      for (const contents of ['hi', 7, { parts: 'hi' }]) {
        expect((await post(path, JSON.stringify({ contents }))).status).toBe(400);
      }
    });
  });
});
