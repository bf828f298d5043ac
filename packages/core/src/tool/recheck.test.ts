import { describe, expect, test } from 'vitest';
import type { Authorizer } from './authorizer.ts';
import { bind } from './binding.ts';
import { defineContract } from './define-contract.ts';
import { defineTool } from './define-tool.ts';
import { guard } from './guard.ts';
import { recheck } from './recheck.ts';
import { ToolError } from './tool-error.ts';

const input = {
  type: 'object',
  properties: { url: { type: 'string', format: 'uri' } },
  required: ['url'],
} as const;

/** A tool that follows one redirect, asking before it does. */
function opening(redirectsTo: string, authorizer: Authorizer<{ readonly user: string }>) {
  const opened: string[] = [];
  const contract = defineContract({ name: 'open_url', description: 'Opens a page.', inputSchema: input });
  const tool = defineTool<typeof input, { readonly user: string }>({
    name: 'open_url',
    description: 'Opens a page.',
    input,
    execute: async ({ url }, call) => {
      opened.push(url);
      if (!(await recheck(authorizer, contract, { url: redirectsTo }, call))) {
        throw new ToolError('The page leads to an address that may not be opened.');
      }
      opened.push(redirectsTo);
      return 'ok';
    },
  });
  const binding = bind(guard({ tool, authorizer }));
  const prepared = binding.contract.prepare({
    id: 'c1',
    name: 'open_url',
    arguments: '{"url":"https://short.example/x"}',
  });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return { opened, run: () => binding.call(prepared.invocation, { context: { user: 'ana' } }) };
}

const publicOnly: Authorizer<{ readonly user: string }> = ({ arguments: { url } }) =>
  typeof url === 'string' && url.startsWith('https://');

describe('a tool that is led elsewhere', () => {
  test('goes there when the policy permits that too', async () => {
    const { opened, run } = opening('https://long.example/', publicOnly);
    await run();
    expect(opened).toEqual(['https://short.example/x', 'https://long.example/']);
  });

  test.each(['http://localhost:8080/admin', 'not a url', ''])('does not go to %j', async (target) => {
    const { opened, run } = opening(target, publicOnly);
    await expect(run()).rejects.toThrow('may not be opened');
    expect(opened).toEqual(['https://short.example/x']);
  });

  test('is judged by the same context and under the same id, with the new arguments', async () => {
    const seen: unknown[] = [];
    const { run } = opening('https://long.example/', ({ callId, context, arguments: args }) => {
      seen.push([callId, context.user, args['url']]);
      return true;
    });
    await run();
    expect(seen).toEqual([
      ['c1', 'ana', 'https://short.example/x'],
      ['c1', 'ana', 'https://long.example/'],
    ]);
  });

  test('does not go on when the policy cannot decide', async () => {
    let asked = 0;
    const { opened, run } = opening('https://long.example/', () => {
      asked += 1;
      if (asked === 2) throw new Error('policy store is down');
      return true;
    });
    await expect(run()).rejects.toMatchObject({ code: 'tool/authorization' });
    expect(opened).toHaveLength(1);
  });
});
