import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lockOf } from '../../test-support/lock-of.ts';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { EMPTY_LOCK, lockedServer, lockedTool } from './lock-file.ts';
import { readLock } from './read-lock.ts';
import { toLockedTool } from './to-locked-tool.ts';
import { writeLock } from './write-lock.ts';

const SEND = { name: 'send', description: 'Sends.', inputSchema: { type: 'object' } };
const text = writeLock(lockOf({ mail: [SEND] }));
const { digest } = toLockedTool(SEND);
const file = (tools: unknown): string => JSON.stringify({ version: 1, servers: { mail: tools } });

describe('a lock file', () => {
  test('reads back what was written, frozen and without prototypes', () => {
    const lock = readLock(text);
    expect(lockedTool(lock, 'mail', 'send')).toEqual({ digest, definition: SEND });
    expect(Object.isFrozen(lock.servers)).toBe(true);
    expect(Object.isFrozen(lockedServer(lock, 'mail'))).toBe(true);
    expect(Object.getPrototypeOf(lock.servers)).toBe(null);
    expect(readLock(new TextEncoder().encode(text))).toEqual(lock);
  });

  test('holds no server and no tool by the names of a prototype', () => {
    const lock = readLock(text);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(lockedServer(lock, name)).toBeUndefined();
      expect(lockedTool(lock, 'mail', name)).toBeUndefined();
      expect(lockedServer(EMPTY_LOCK, name)).toBeUndefined();
    }
  });

  test('a server of which no tool was reviewed is known all the same', () => {
    expect(lockedServer(readLock(file({})), 'mail')).toEqual({});
  });

  test('every real definition can be pinned and reads back', () => {
    const data = new URL('../../../../examples/data/mcp-tools.json', import.meta.url);
    const { tools } = JSON.parse(readFileSync(data, 'utf8')) as { readonly tools: readonly object[] };
    const lock = lockOf({ real: tools });
    expect(readLock(writeLock(lock))).toEqual(lock);
    expect(Object.keys(lockedServer(lock, 'real') ?? {})).toHaveLength(tools.length);
  });
});

describe('what is no lock file is an error, never an empty lock', () => {
  const entry = { digest, definition: SEND };
  test.each([
    ['nothing', '', ''],
    ['a file that is cut off', '{"version":1,"servers":{"send_email":"ab', '/servers/send_email'],
    ['something else', '[]', ''],
    ['an object of something else', '{"lockfileVersion":3,"packages":{}}', '/version'],
    ['no version', '{"servers":{}}', '/version'],
    ['another version', '{"version":2,"servers":{}}', '/version'],
    ['a version as text', '{"version":"1","servers":{}}', '/version'],
    ['no servers', '{"version":1}', '/servers'],
    ['servers as a list', '{"version":1,"servers":[]}', '/servers'],
    ['an unknown member', '{"version":1,"servers":{},"trust":"all"}', '/trust'],
    ['a server without a name', '{"version":1,"servers":{"":{}}}', '/servers'],
    ['a server that is a list', file([]), '/servers/mail'],
    ['a tool that is a text', file({ send: digest }), '/servers/mail/send'],
    ['a tool with an unknown member', file({ send: { ...entry, trust: 1 } }), '/servers/mail/send/trust'],
    ['a tool without a definition', file({ send: { digest } }), '/servers/mail/send/definition'],
    [
      'a definition with a member that is not pinned',
      file({ send: { digest, definition: { ...SEND, _meta: {} } } }),
      '/servers/mail/send/definition/_meta',
    ],
    [
      'a definition without a name',
      file({ send: { digest, definition: {} } }),
      '/servers/mail/send/definition/name',
    ],
    ['a server that is written twice', '{"version":1,"servers":{"a":{},"a":{}}}', '/servers/a'],
    ['__proto__ for a server', '{"version":1,"servers":{"__proto__":{}}}', '/servers/__proto__'],
    ['__proto__ for a tool', '{"version":1,"servers":{"a":{"__proto__":{}}}}', '/servers/a/__proto__'],
    ['a byte order mark', `\ufeff${text}`, ''],
    ['something behind it', `${text}{}`, ''],
    ['enormous nesting', `{"version":1,"servers":${'{"a":'.repeat(400)}1${'}'.repeat(401)}`, undefined],
  ])('%s', (_what, wrong, pointer) => {
    const fault = mcpFault(() => readLock(wrong));
    expect(fault.code).toBe('mcp/lock-invalid');
    if (pointer !== undefined) expect(fault.pointer).toBe(pointer);
    expect(fault.message.length).toBeLessThan(300);
  });

  test.each([
    ['a description', text.replace('Sends.', 'Sends everything.')],
    ['a schema', text.replace('"type": "object"', '"type": "object", "additionalProperties": true')],
    ['a digest', text.replace(digest, `sha256:${'0'.repeat(64)}`)],
    ['the algorithm', text.replace('sha256:', 'sha1:')],
    ['the digest to none', file({ send: { definition: SEND } })],
    ['the name in the definition', text.replace('"name": "send"', '"name": "other"')],
    ['the name it is locked under', text.replace('"send": {', '"other": {')],
  ])('%s that was edited is noticed', (_what, edited) => {
    expect(edited).not.toBe(text);
    const fault = mcpFault(() => readLock(edited));
    expect(fault.code).toBe('mcp/lock-edited');
    expect(fault.pointer).toMatch(/^\/servers\/mail\//u);
  });

  test('no text of any kind ends in anything but a lock or a typed error', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"version":1',
      ',',
      '"servers":',
      '{}',
      '"a":',
      '"digest":',
      'null',
      '1',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        try {
          expect(readLock(parts.join('')).version).toBe(1);
        } catch (error) {
          expect(error).toMatchObject({ name: 'McpError' });
        }
      }),
    );
  });
});
