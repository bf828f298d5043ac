import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { expandVariables } from './expand-variables.ts';

const source = {
  env: { TOKEN: 's3cret', EMPTY: '', NESTED: '${TOKEN}', HOME: '/home/me', TOOLGATE_INPUT_API_KEY: 'asked' },
  folder: '/home/me/app',
};
const expand = (text: string): string => expandVariables(text, source, '/x').text;

describe('a variable', () => {
  test.each([
    ['by its name', '${TOKEN}', 's3cret'],
    ['by its name in the form of editors', '${env:TOKEN}', 's3cret'],
    ['within a text, twice', 'Bearer ${TOKEN}-${TOKEN}!', 'Bearer s3cret-s3cret!'],
    ['with a default that is not needed', '${TOKEN:-other}', 's3cret'],
    ['that is not set, with a default', '${NO_SUCH:-http://localhost:1/a}', 'http://localhost:1/a'],
    ['that is not set, with an empty default', 'a${env:NO_SUCH:-}b', 'ab'],
    ['that is empty, with a default', '${EMPTY:-other}', 'other'],
    ['that is empty', 'a${EMPTY}b', 'ab'],
    ['whose value looks like one', '${NESTED}', '${TOKEN}'],
    ['of the editor for the folder', '${workspaceFolder}/data', '/home/me/app/data'],
    ['of the editor for the home', '${userHome}/data', '/home/me/data'],
    ['that an editor would ask for', '${input:api-key}', 'asked'],
    ['without braces is none', '$TOKEN', '$TOKEN'],
    ['that does not end is none', 'a ${TOKEN', 'a ${TOKEN'],
  ])('%s', (_what, text, expanded) => {
    expect(expand(text)).toBe(expanded);
  });

  test('says which values came from the environment, and no others', () => {
    expect(expandVariables('${TOKEN} ${NO_SUCH:-public}', source, '').taken).toEqual(['s3cret']);
  });

  test.each([
    ['that is not set', '${NO_SUCH}', 'mcp/config-variable', 'NO_SUCH'],
    ['of a prototype', '${constructor}', 'mcp/config-variable', 'constructor'],
    ['by the name __proto__', '${env:__proto__}', 'mcp/config-variable', '__proto__'],
    [
      'that an editor would ask for and nobody gave',
      '${input:other.key}',
      'mcp/config-variable',
      'TOOLGATE_INPUT_OTHER_KEY',
    ],
    ['of another form', '${file:/etc/passwd}', 'mcp/config-invalid', ''],
    ['that is a command', '${command:x.y}', 'mcp/config-invalid', ''],
    ['without a name', '${}', 'mcp/config-invalid', ''],
    ['with a name that is none', '${A-B}', 'mcp/config-invalid', ''],
  ])('%s is an error with its place', (_what, text, code, name) => {
    const fault = mcpFault(() => expandVariables(`s3cret ${text}`, source, '/mcpServers/a/env/B'));
    expect([fault.code, fault.pointer]).toEqual([code, '/mcpServers/a/env/B']);
    expect(fault.message).toContain(name);
    expect(fault.message).not.toContain('s3cret');
  });
});
