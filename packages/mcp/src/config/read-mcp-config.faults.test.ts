import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import type { McpConfig } from './mcp-config.ts';
import { readMcpConfig } from './read-mcp-config.ts';

const read = (file: unknown): McpConfig =>
  readMcpConfig(typeof file === 'string' ? file : JSON.stringify(file), { env: {}, folder: '/home/me/app' });

describe('a configuration that cannot be used', () => {
  const server = (entry: unknown): unknown => ({ mcpServers: { a: entry } });
  const at = '/mcpServers/a';
  test.each([
    ['nothing', '', ''],
    ['no object', '[]', ''],
    ['no servers', '{"toolgate":{}}', ''],
    ['servers as a list', { mcpServers: [] }, '/mcpServers'],
    ['a server without a name', { mcpServers: { '': {} } }, '/mcpServers/'],
    ['a server that is a text', server('npx'), at],
    ['a server in two lists', { mcpServers: { a: {} }, servers: { a: {} } }, '/servers/a'],
    ['a server that is written twice', '{"mcpServers":{"a":{},"a":{}}}', at],
    ['a server named __proto__', '{"mcpServers":{"__proto__":{}}}', '/mcpServers/__proto__'],
    ['neither command nor address', server({}), at],
    ['both', server({ command: 'x', url: 'http://localhost' }), at],
    ['a blank command', server({ command: ' ' }), `${at}/command`],
    ['a command that is a list', server({ command: ['x'] }), `${at}/command`],
    ['a command with a NUL', server({ command: 'x\0y' }), `${at}/command`],
    ['arguments that are a text', server({ command: 'x', args: '-y' }), `${at}/args`],
    ['an argument that is none', server({ command: 'x', args: [1] }), `${at}/args/0`],
    ['variables that are a list', server({ command: 'x', env: ['A=1'] }), `${at}/env`],
    ['a variable with =', server({ command: 'x', env: { 'A=B': '1' } }), `${at}/env/A=B`],
    ['a variable that is an object', server({ command: 'x', env: { A: {} } }), `${at}/env/A`],
    [
      'a list of switched off tools that is a text',
      server({ command: 'x', disabledTools: 'a' }),
      `${at}/disabledTools`,
    ],
    [
      'a switched off tool without a name',
      server({ command: 'x', disabledTools: [''] }),
      `${at}/disabledTools/0`,
    ],
    ['a switch that is a text', server({ command: 'x', disabled: 'false' }), `${at}/disabled`],
    ['an address that is none', server({ url: 'localhost:1' }), `${at}/url`],
    ['an address of a file', server({ url: 'file:///etc/passwd' }), `${at}/url`],
    ['an address with a password', server({ url: 'https://me:s3cret@x.test/' }), `${at}/url`],
    ['a type without what it needs', server({ type: 'http', command: 'x' }), at],
    ['stdio without a command', server({ type: 'stdio', url: 'http://localhost' }), `${at}/command`],
    [
      'a header that is no name',
      server({ url: 'http://x.test', headers: { 'A B': 's3cret' } }),
      `${at}/headers/A B`,
    ],
    [
      'a header with a line break',
      server({ url: 'http://x.test', headers: { A: 's3cret\r\nB: 1' } }),
      `${at}/headers/A`,
    ],
    ['a comment that does not end', '{"mcpServers":{} /* s3cret', '/mcpServers'],
    ['a text that breaks off', '{"mcpServers":{"a":{"command":"s3cret', `${at}/command`],
    ['a token that is not quoted', '{"mcpServers":{"a":{"env":{"A":s3cret}}}}', `${at}/env/A`],
  ])('%s is an error with its place and without its values', (_what, file, pointer) => {
    const fault = mcpFault(() => read(file));
    expect([fault.code, fault.pointer]).toEqual(['mcp/config-invalid', pointer]);
    expect(`${fault.message} ${String(fault.cause)}`).not.toContain('s3cret');
  });

  test('more than 1 MiB is not read', () => {
    expect(mcpFault(() => read(`{"mcpServers":{}}${' '.repeat(1_100_000)}`)).code).toBe('mcp/config-invalid');
  });

  test('a fault of the text has its line, comments or not', () => {
    expect(mcpFault(() => read('// one\n/* two\n */ {"a" 1}')).message).toContain('line 3, column 10');
  });
});
