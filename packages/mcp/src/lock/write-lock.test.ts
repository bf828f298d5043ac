import { describe, expect, test } from 'vitest';
import { lockOf } from '../../test-support/lock-of.ts';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { EMPTY_LOCK, type LockedServer, lockedTool } from './lock-file.ts';
import { readLock } from './read-lock.ts';
import { toLockedTool } from './to-locked-tool.ts';
import { writeLock } from './write-lock.ts';

const tool = (name: string, more: object = {}): object => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

describe('the text of a lock file', () => {
  test('does not depend on the order of servers, tools or members', () => {
    const schema = { type: 'object', properties: { b: {}, a: {} } };
    const turned = { properties: { a: {}, b: {} }, type: 'object' };
    const one = lockOf({ b: [tool('y'), tool('x', { inputSchema: schema })], a: [] });
    const other = lockOf({ a: [], b: [tool('x', { inputSchema: turned }), tool('y')] });
    expect(writeLock(one)).toBe(writeLock(other));
  });

  test('has one member in a line, the name first, and ends with a line break', () => {
    const lines = writeLock(lockOf({ mail: [tool('send', { description: 'Sends.', title: 'Send' })] })).split(
      '\n',
    );
    expect(lines.map((line) => line.trim().slice(0, 14))).toEqual([
      '{',
      '"version": 1,',
      '"servers": {',
      '"mail": {',
      '"send": {',
      '"digest": "sha',
      '"definition": ',
      '"name": "send"',
      '"title": "Send',
      '"description":',
      '"inputSchema":',
      '"type": "objec',
      '}',
      '}',
      '}',
      '}',
      '}',
      '}',
      '',
    ]);
  });

  test.each([
    ['a zero width space', 'Adds\u200b'],
    ['a right-to-left override', '\u202eexe'],
    ['a control', 'a\u0007\u009b31m'],
    ['a tag character', '\u{e0041}'],
    ['a variation selector', 'a\u{e0101}\ufe00'],
    ['a space that is none', 'a\u00a0b\u3164c\u2800'],
    ['a line separator', 'a\u2028b'],
  ])('%s is an escape, and reads back', (_what, description) => {
    const lock = lockOf({ s: [tool('t', { description })] });
    const text = writeLock(lock);
    expect(text).toMatch(/^[\n\x20-\x7e]+$/u);
    expect(lockedTool(readLock(text), 's', 't')?.definition['description']).toBe(description);
  });

  test('text of any language stays as it is', () => {
    expect(writeLock(lockOf({ s: [tool('t', { description: '天気 größe 🚀' })] }))).toContain(
      '天気 größe 🚀',
    );
  });

  test('an empty lock is a lock', () => {
    expect(readLock(writeLock(EMPTY_LOCK))).toEqual(EMPTY_LOCK);
  });
});

describe('what no lock file can hold is not written', () => {
  const locked = toLockedTool(tool('t'));
  const named = (name: string, value: unknown): Record<string, unknown> =>
    Object.defineProperty({}, name, { value, enumerable: true });
  test.each([
    ['a server named __proto__', named('__proto__', {}), 'mcp/lock-invalid'],
    ['a tool named __proto__', { s: named('__proto__', locked) }, 'mcp/lock-invalid'],
    ['constructor with prototype', { constructor: { prototype: locked } }, 'mcp/lock-invalid'],
    [
      'a digest of something else',
      { s: { t: { ...locked, digest: `sha256:${'0'.repeat(64)}` } } },
      'mcp/lock-edited',
    ],
    ['a tool under another name', { s: { u: locked } }, 'mcp/lock-edited'],
    [
      'a definition that is none',
      { s: { t: { ...locked, definition: { name: '' } } } },
      'mcp/definition-invalid',
    ],
  ])('%s', (_what, servers, code) => {
    const lock = {
      version: 1,
      servers: servers as unknown as Readonly<Record<string, LockedServer>>,
    } as const;
    expect(mcpFault(() => writeLock(lock)).code).toBe(code);
  });
});
