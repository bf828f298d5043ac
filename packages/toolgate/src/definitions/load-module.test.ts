import { afterAll, describe, expect, test } from 'vitest';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { loadModuleDefinitions } from './load-module.ts';

const folder = createTemporaryFolder();
afterAll(() => folder.remove());

const tool = (name: string, more = ''): string =>
  `{ definition: () => ({ name: '${name}', description: '', inputSchema: { type: 'object' } }), call: async () => { throw new Error() }${more} }`;

describe('tools of a module', () => {
  test('are bound as own code, with their profile and whether they are privileged', async () => {
    const path = folder.write(
      'good.mjs',
      `export const tools = [${tool('reader', ", profile: { class: 'read' }")}, ${tool('chief', ', privileged: true')}];`,
    );
    expect(await loadModuleDefinitions(path)).toMatchObject([
      { form: 'toolgate', name: 'reader', class: 'read', privileged: false },
      { form: 'toolgate', name: 'chief', class: 'unclassified', privileged: true },
    ]);
  });

  test('may have patterns that a foreign schema may not have', async () => {
    const schema = "{ type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } }";
    const path = folder.write(
      'own-pattern.mjs',
      `export const tools = [{ definition: () => ({ name: 'p', description: '', inputSchema: ${schema} }), call: async () => {} }];`,
    );
    expect((await loadModuleDefinitions(path))[0]).not.toHaveProperty('fault');
  });

  test('that cannot be used are told apart from those that can', async () => {
    const path = folder.write(
      'mixed.mjs',
      `export const tools = [7, ${tool('bad name')}, ${tool('odd', ', profile: { class: 7 }')}, ${tool('fine')}];`,
    );
    expect((await loadModuleDefinitions(path)).map(({ name, fault }) => fault?.code ?? name)).toEqual([
      'tool/not-a-tool',
      'tool/name-invalid',
      'policy/profile-invalid',
      'fine',
    ]);
  });

  test.each([
    ['no tools', 'export const other = 1;', 'cli/module-invalid'],
    ['tools that are no array', 'export const tools = {};', 'cli/module-invalid'],
    ['a throw', "throw new Error('boom');", 'cli/module-invalid'],
    ['a missing import', "import './nowhere.mjs';", 'cli/module-invalid'],
    ['a syntax error', 'export const tools = [;', 'cli/module-invalid'],
  ])('a module with %s is refused', async (what, text, code) => {
    const path = folder.write(`${what.replaceAll(' ', '-')}.mjs`, text);
    await expect(loadModuleDefinitions(path)).rejects.toMatchObject({ code, exitCode: 1 });
  });
});
