import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../../test-support/ask-raw.ts';
import { PAIRS } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import type { RawAnswer } from '../../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../../test-support/wire-samples.ts';

const TURN = turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]);
const FORMS = [true, false];

/** A body under any name, or under none, in pieces. */
const called =
  (type: string | undefined, ...pieces: readonly string[]): RawAnswer =>
  async (response) => {
    response.writeHead(200, type === undefined ? {} : { 'content-type': type });
    for (const piece of pieces) await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    response.end();
  };

describe('an answer that is called what it is not', () => {
  test.each(PAIRS)('is read by what it is, for a client of %s before %s', async (surface, backend) => {
    const stream = wireStream(backend, TURN).join('');
    const whole = wireAnswer(backend, TURN);
    const answers = [
      ['application/json', stream],
      ['text/plain; charset=utf-8', stream],
      ['application/octet-stream', `\n: waiting\n\n${stream}`],
      [undefined, stream],
      ['text/event-stream', whole],
      ['text/plain', ` \n${whole}`],
      [undefined, whole],
    ] as const;
    for (const [type, body] of answers) {
      await withRawProvider(backend, [called(type, body)], {}, async ({ url }) => {
        for (const isStream of FORMS) {
          const path = `${url}${surfacePath(surface, isStream)}`;
          const answered = await post(path, oddRequest(surface, isStream));
          expect([type, answered.status]).toEqual([type, 200]);
          const understood = callsOf(readAnswer(surface, isStream, answered.body));
          expect(understood).toEqual([['find', '{"path":"a"}']]);
        }
      });
    }
  });

  test('may begin with blanks in pieces, which say nothing', async () => {
    const stream = wireStream('openai-chat', TURN).join('');
    for (const pieces of [
      [' ', '\n\n', '\n', stream],
      ['\n', wireAnswer('openai-chat', TURN)],
    ]) {
      await withRawProvider('openai-chat', [called('text/plain', ...pieces)], {}, async ({ url }) => {
        const path = `${url}${surfacePath('anthropic', true)}`;
        const { body } = await post(path, oddRequest('anthropic', true));
        expect(callsOf(readAnswer('anthropic', true, body))).toEqual([['find', '{"path":"a"}']]);
      });
    }
  });

  test('is a failure where it is one, although it is called a stream', async () => {
    const failure = JSON.stringify({ error: { message: 'x', code: 'rate_limit_exceeded' } });
    for (const body of [failure, '<html>down</html>', ' \n ', ' '.repeat(1_500_000)]) {
      await withRawProvider('openai-chat', [called('text/event-stream', body)], {}, async ({ url }) => {
        const path = `${url}${surfacePath('openai-chat', true)}`;
        const { status } = await post(path, oddRequest('openai-chat', true));
        expect(status).toBe(body === failure ? 429 : 502);
      });
    }
  });
});
