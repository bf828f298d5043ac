import { describe, expect, test } from 'vitest';
import { createScope } from '../policy/scope.ts';
import type { ScopeOptions } from '../policy/scope-options.ts';
import { defineTool } from '../tool/define-tool.ts';
import { createGate } from './create-gate.ts';

const tool = (name: string, checkWith?: string) =>
  defineTool({
    name,
    description: '',
    profile: { class: 'write', ...(checkWith === undefined ? {} : { checkWith }) },
    input: { type: 'object' },
    execute: () => 'ran',
  });
const tools = [tool('read_file'), tool('delete_file')];

describe('a scope that refuses names without a tool', () => {
  test.each<[string, ScopeOptions, string]>([
    ['denies', { deny: ['delete_file', 'delete_fil'] }, 'scope.deny names "delete_fil"'],
    ['denies in other letters', { deny: ['Delete_File'] }, 'scope.deny names "Delete_File"'],
    ['allows', { allow: ['read_file', 'red_file'] }, 'scope.allow names "red_file"'],
  ])('makes no gate where it %s one', (_what, options, message) => {
    const scope = createScope({ ...options, unknownNames: 'refuse' });
    expect(() => createGate({ tools, scope })).toThrow(
      expect.objectContaining({ code: 'policy/tool-unknown', message: expect.stringContaining(message) }),
    );
    // Rules may be for the tools of several gates.
    expect(createGate({ tools, scope: createScope(options) }).tools).toHaveLength(2);
    expect(
      createGate({ tools, scope: createScope({ ...options, unknownNames: 'allow' }) }).tools,
    ).toHaveLength(2);
  });

  test('does so when it was narrowed before', () => {
    const scope = createScope({ deny: ['delete_file'], unknownNames: 'refuse' });
    expect(() => createGate({ tools, scope: scope.narrow({ deny: ['red_file'] }) })).toThrow(
      expect.objectContaining({ code: 'policy/tool-unknown' }),
    );
    expect(() =>
      createGate({ tools, scope: scope.narrow({ deny: ['red_file'], unknownNames: 'allow' }) }),
    ).not.toThrow();
  });

  test('opens no session that is narrowed by one, unless the narrowing says otherwise', async () => {
    const gate = createGate({ tools, scope: createScope({ unknownNames: 'refuse' }) });
    await expect(gate.open({ context: 0, narrow: { deny: ['delete_fil'] } })).rejects.toThrow(
      expect.objectContaining({
        code: 'policy/tool-unknown',
        message: expect.stringContaining('narrow.deny names "delete_fil"'),
      }),
    );
    const narrow: ScopeOptions = { deny: ['delete_file', 'of_another_gate'], unknownNames: 'allow' };
    const session = await gate.open({ context: 0, narrow });
    expect(session.definitions.map(({ name }) => name)).toEqual(['read_file']);
    await session.close();
  });

  test('may be one narrowing alone', async () => {
    const gate = createGate({ tools, scope: createScope({ deny: ['gone'] }) });
    await expect(
      gate.open({ context: 0, narrow: { allow: ['later'], unknownNames: 'refuse' } }),
    ).rejects.toThrow(expect.objectContaining({ code: 'policy/tool-unknown' }));
  });

  test('takes no other word for it', () => {
    expect(() => createScope({ unknownNames: 'deny' as 'refuse' })).toThrow(
      expect.objectContaining({ code: 'policy/scope-invalid' }),
    );
  });
});

describe('the tool that shows whether a call took effect', () => {
  test('may stand in another gate', () => {
    expect(() => createGate({ tools: [tool('send', 'list_sent')] })).not.toThrow();
  });

  test.each(['List_Sent', 'list-sent'])(
    'is not another one by the name %s, which only looks like it',
    (name) => {
      expect(() => createGate({ tools: [tool('send', name), tool('list_sent')] })).toThrow(
        expect.objectContaining({
          code: 'gate/options-invalid',
          message: `profile.checkWith of "send" is "${name}"; the tool is called "list_sent".`,
        }),
      );
    },
  );
});
