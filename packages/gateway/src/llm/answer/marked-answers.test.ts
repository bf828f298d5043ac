import { expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../../test-support/ask-raw.ts';
import { PAIRS } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents, wireAnswer } from '../../../test-support/wire-samples.ts';

test.each(PAIRS)(
  'an answer that begins with the mark of its byte order is read for %s from %s',
  async (surface, backend) => {
    const call = { id: 'c1', arguments: '{"path":"ü"}' };
    const sent = `\ufeff${wireAnswer(backend, turnEvents([call]))}`;
    await withRawProvider(backend, [sendJson(sent)], {}, async ({ url }) => {
      const { body, status } = await post(`${url}${surfacePath(surface, false)}`, oddRequest(surface, false));
      expect(status).toBe(200);
      if (surface === backend) expect(body.replace(/^\ufeff/, '')).toBe(sent.slice(1));
      expect(callsOf(readAnswer(surface, false, body.replace(/^\ufeff/, '')))).toEqual([
        ['find', call.arguments],
      ]);
    });
  },
);
