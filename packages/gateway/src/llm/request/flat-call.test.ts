import type { JsonObject } from '@toolgate/core';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, exchange } from '../../../test-support/ask-raw.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';

const OTHERS = PROTOCOLS.filter((protocol) => protocol !== 'openai-responses');

const read = { type: 'function', name: 'read', parameters: { type: 'object', required: ['path'] } };
const TOOLS = [
  { ...read, name: 'wait' },
  { type: 'namespace', name: 'notes', description: '', tools: [read] },
  { type: 'custom', name: 'exec' },
];
const BODY = {
  model: 'm',
  input: [
    { type: 'additional_tools', role: 'developer', tools: TOOLS },
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'x' },
  ],
};
const CALL = { id: 'c1', name: 'notes__read', arguments: '{"path":1}' };

describe.each(OTHERS)('tools that a client of Responses loads, at a provider of %s', (backend) => {
  const asked = { surface: 'openai-responses', backend } as const;

  test.each([true, false])('are offered and called as if they were listed (streamed: %s)', async (stream) => {
    const bodies = [{ ...BODY, stream }];
    const setup = { grants: { deny: ['exec'] } };
    const turns = [turnEvents([CALL])];
    await exchange(
      { ...asked, stream, bodies, setup, turns },
      async ({ answered, gateway, response, sent }) => {
        const text = JSON.stringify(sent[0]);
        expect(text).toMatch(/"name":"wait".*"name":"notes__read"/);
        expect(text).not.toMatch(/additional_tools|exec/);
        expect(callsOf(response)).toEqual([['read', CALL.arguments]]);
        expect(answered.body).toMatch(/"namespace": ?"notes"/);
        await gateway.stores.calls.flush();
        const [entry] = (await gateway.stores.calls.list()).items;
        expect(entry).toMatchObject({ tool: 'notes__read', verdict: 'allowed' });
      },
    );
  });

  test('are judged by their schemas', async () => {
    const wrong = { ...CALL, arguments: '{}' };
    const turns = [turnEvents([wrong])];
    const setup = { grants: { deny: ['exec'] } };
    await exchange(
      { ...asked, stream: true, bodies: [{ ...BODY, stream: true }], setup, turns },
      ({ response }) => expect(callsOf(response)).toEqual([]),
    );
  });

  test('are refused with a custom tool that may pass, as that has no form here', async () => {
    const turns = [turnEvents([])];
    await exchange({ ...asked, stream: false, bodies: [BODY], turns }, ({ answered, sent }) => {
      expect([answered.status, sent]).toEqual([400, []]);
      expect((JSON.parse(answered.body) as { error: JsonObject }).error).toMatchObject({
        code: 'translation_refused',
      });
    });
  });
});
