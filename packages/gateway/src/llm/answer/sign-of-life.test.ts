import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { ASK } from '../../../test-support/clients.ts';
import { PAIRS } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import type { RawAnswer } from '../../../test-support/raw-provider.ts';
import { withoutSigns } from '../../../test-support/signs-of-life.ts';
import { oddRequest, surfacePath, turnEvents, wireStream } from '../../../test-support/wire-samples.ts';

const CALL = { id: 'c1', arguments: '{"path":"a"}' };

/** Answers with silence before its start, behind that, and before its end. */
function slowly(backend: Protocol, silenceMs: number): RawAnswer {
  const pieces = wireStream(backend, turnEvents([CALL]));
  return async (response) => {
    const silence = () => new Promise((resolve) => setTimeout(resolve, silenceMs));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const cuts = [0, 2, Math.max(3, pieces.length - 1), pieces.length];
    for (let index = 1; index < cuts.length; index += 1) {
      await silence();
      response.write(pieces.slice(cuts[index - 1], cuts[index]).join(''));
    }
    response.end();
  };
}

/** Events that a reader of server-sent events hands on; it gives comments to nobody. */
const eventsOf = (body: string): number =>
  body.split('\n\n').filter((block) => block.includes('data:')).length;

/** An answer of a provider that says no time has the one at which it came. */
const withoutTimes = (body: string): string => body.replaceAll(/("created(?:_at)?":)[0-9]+/g, '$10');

describe('silence in an answer', () => {
  test.each(PAIRS)('changes nothing for the official client of %s before %s', async (surface, backend) => {
    const answers = [slowly(backend, 0), slowly(backend, 60)];
    await withRawProvider(backend, answers, { options: { keepAliveMs: 8 } }, async ({ url }) => {
      const question = { model: 'm', text: 'hi', stream: true, tools: [TOOL] };
      const quick = await ASK[surface](url, question);
      expect(quick.calls).toHaveLength(1);
      expect(await ASK[surface](url, question)).toEqual(quick);
    });
  });

  test.each(PAIRS)('is broken by events where %s has one for it, before %s', async (surface, backend) => {
    const answers = [slowly(backend, 0), slowly(backend, 60)];
    await withRawProvider(backend, answers, { options: { keepAliveMs: 8 } }, async ({ url }) => {
      const ask = () => post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      const quick = withoutTimes(withoutSigns((await ask()).body));
      const { body } = await ask();
      expect(withoutTimes(withoutSigns(body))).toBe(quick);
      const told = eventsOf(body) - eventsOf(quick);
      if (surface === 'anthropic' || surface === 'openai-responses') expect(told).toBeGreaterThan(2);
      else expect(told).toBe(0);
    });
  });
});

const TOOL = {
  name: 'find',
  description: 'Finds.',
  schema: { type: 'object', properties: { path: { type: 'string' } } },
};
