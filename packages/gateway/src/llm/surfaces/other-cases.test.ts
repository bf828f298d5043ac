import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** A request with one more member, behind all that were looked at. */
function withMember(protocol: Protocol, member: string): string {
  return oddRequest(protocol, false).replace(/\}\s*$/, `,${member}}`);
}

const MEMBERS: readonly (readonly [Protocol, string, string])[] = [
  ['openai-chat', '"Model":"secret"', '/Model'],
  ['openai-chat', '"MESSAGES":[]', '/MESSAGES'],
  ['openai-chat', '"toolſ":[]', '/toolſ'],
  ['openai-chat', '"N":2', '/N'],
  ['openai-responses', '"Model":"secret"', '/Model'],
  ['openai-responses', '"Tools":[]', '/Tools'],
  ['anthropic', '"Model":"secret"', '/Model'],
  ['anthropic', '"Mcp_Servers":[{"name":"x"}]', '/Mcp_Servers'],
  ['gemini', '"TOOLS":[]', '/TOOLS'],
];

describe('a member whose name only the case makes another one', () => {
  test.each(MEMBERS)('is refused in a request of %s: %s', async (protocol, member, pointer) => {
    for (const passthrough of [true, false]) {
      const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough }];
      await withRawProvider(protocol, [sendJson('{}')], { routes }, async ({ url }, provider) => {
        const path = `${url}${surfacePath(protocol, false)}`;
        const answered = await post(path, withMember(protocol, member));
        // What is no more than not understood may be passed on by a written passage; another model may not.
        if (passthrough && pointer !== '/Model') return;
        expect([answered.status, answered.body.includes(pointer)]).toEqual([400, true]);
        expect(provider.requests).toEqual([]);
      });
    }
  });

  test('is none where its letters are others', async () => {
    await withRawProvider('openai-chat', [sendJson('{}')], {}, async ({ url }, provider) => {
      const body = withMember('openai-chat', '"toolChoice":"none","models":["a"]');
      await post(`${url}/v1/chat/completions`, body);
      expect(provider.requests.map((request) => request.body.toString())).toEqual([body]);
    });
  });
});
