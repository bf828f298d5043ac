import { digest } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { toLockedTool } from './to-locked-tool.ts';

const SCHEMA = { type: 'object' };
const TOOL = { name: 'send', description: 'Sends.', inputSchema: SCHEMA };

describe('what is pinned of a tool', () => {
  test.each([
    ['title', { title: 'Send' }],
    ['description', { description: 'Sends it.' }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { bcc: {} } } }],
    ['outputSchema', { outputSchema: SCHEMA }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['an annotation that nobody knows', { annotations: { other: 1 } }],
  ])('%s changes the digest', (_what, change) => {
    expect(toLockedTool({ ...TOOL, ...change }).digest).not.toBe(toLockedTool(TOOL).digest);
  });

  test.each([
    ['icons', { icons: [{ src: 'data:,x' }] }],
    ['_meta', { _meta: { version: 2 } }],
    ['what is undefined', { title: undefined }],
  ])('%s does not', (_what, change) => {
    expect(toLockedTool({ ...TOOL, ...change })).toEqual(toLockedTool(TOOL));
  });

  test('the order of members does not change the digest, which is that of the definition', () => {
    const { name, description, inputSchema } = TOOL;
    const locked = toLockedTool({ inputSchema, name, description });
    expect(locked.digest).toBe(toLockedTool(TOOL).digest);
    expect(locked.digest).toBe(digest(locked.definition));
  });

  test('is detached and deeply frozen', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const { definition } = toLockedTool({ ...TOOL, inputSchema });
    inputSchema.properties.a.type = 'number';
    expect(definition['inputSchema']).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
    expect(Object.isFrozen((definition['inputSchema'] as typeof inputSchema).properties.a)).toBe(true);
  });

  test('is taken once: the same definition again is the same tool', () => {
    const locked = toLockedTool(TOOL);
    expect(toLockedTool(locked.definition)).toBe(locked);
    expect(toLockedTool({ ...locked.definition })).toEqual(locked);
  });

  test('a definition that does not compile is pinned like every other', () => {
    const broken = { ...TOOL, inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } };
    expect(toLockedTool(broken).definition['inputSchema']).toEqual(broken.inputSchema);
  });
});

describe('what cannot be pinned is refused with its place', () => {
  const deep = (levels: number): object =>
    Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
  const cyclic: Record<string, unknown> = { type: 'object' };
  cyclic['properties'] = cyclic;
  test.each([
    ['nothing', undefined, undefined],
    ['a list', [], undefined],
    ['no name', { description: '' }, '/name'],
    ['a blank name', { ...TOOL, name: '' }, '/name'],
    ['the name __proto__', { ...TOOL, name: '__proto__' }, '/name'],
    ['a name that is no text', { ...TOOL, name: 7 }, '/name'],
    ['an endless name', { ...TOOL, name: 'n'.repeat(2_000) }, '/name'],
    ['half of a surrogate pair', { ...TOOL, description: 'a\ud800' }, '/description'],
    ['a noncharacter', { ...TOOL, description: 'a\uffff' }, '/description'],
    [
      'a member that changes a prototype',
      JSON.parse('{"name":"a","inputSchema":{"__proto__":1}}'),
      '/inputSchema/__proto__',
    ],
    ['a number that is none', { ...TOOL, inputSchema: { minimum: Number.NaN } }, '/inputSchema/minimum'],
    ['a function', { ...TOOL, inputSchema: { check: () => true } }, '/inputSchema/check'],
    ['a cycle', { ...TOOL, inputSchema: cyclic }, '/inputSchema/properties'],
    [
      'a getter that throws',
      {
        ...TOOL,
        inputSchema: {
          get a() {
            throw new Error('secret');
          },
        },
      },
      '/inputSchema/a',
    ],
    [
      'a name that throws',
      {
        get name() {
          throw new Error('secret');
        },
      },
      undefined,
    ],
    ['a description of 9 MB', { ...TOOL, description: 'x'.repeat(9_000_000) }, ''],
  ])('%s', (_what, raw, pointer) => {
    const fault = mcpFault(() => toLockedTool(raw));
    expect(fault.code).toBe('mcp/definition-invalid');
    expect(fault.pointer).toBe(pointer);
    expect(fault.message.length).toBeLessThan(300);
    expect(fault.message).not.toContain('secret');
  });

  test('a schema that nests too deep', () => {
    expect(mcpFault(() => toLockedTool({ ...TOOL, inputSchema: deep(300) })).code).toBe(
      'mcp/definition-invalid',
    );
    expect(mcpFault(() => toLockedTool({ ...TOOL, inputSchema: deep(20_000) })).code).toBe(
      'mcp/definition-invalid',
    );
  });
});
