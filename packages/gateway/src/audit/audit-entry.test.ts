import { JsonError, type JsonObject, toJsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalData, checkEntry } from './audit-entry.ts';

const copyOf = (data: JsonObject): JsonObject => checkEntry({ kind: 'call-allow', actor: 'ana', data }).data;

test('data of nothing but texts is copied and frozen like any other', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('toJSON', '__proto__', 'constructor', '0', 'callId'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), (members) => {
      const data = Object.fromEntries(members);
      const copy = copyOf(data);
      expect(copy).not.toBe(data);
      expect(copy).toEqual(toJsonValue(data));
      expect(Object.keys(copy)).toEqual(Object.keys(data));
      expect(Object.isFrozen(copy)).toBe(true);
      expect(canonicalData(copy)).toBe(canonicalData(data));
    }),
  );
});

test('a member that says something else each time is read once', () => {
  let reads = 0;
  const data = {
    get tool() {
      reads += 1;
      return `find-${reads}`;
    },
  };
  expect(copyOf(data)).toEqual({ tool: 'find-1' });
  expect(reads).toBe(1);
});

const unreadable = (): never => {
  throw new Error('unreadable');
};

test.each([
  ['a member that cannot be read', Object.defineProperty({}, 'tool', { enumerable: true, get: unreadable })],
  ['an object that cannot be read', new Proxy({}, { ownKeys: unreadable })],
  ['a member whose members cannot be read', { seq: 1, call: new Proxy({}, { ownKeys: unreadable }) }],
])('%s is no data either', (_, data) => {
  expect(() => copyOf(data as JsonObject)).toThrow(
    expect.objectContaining({ code: 'gateway/entry-invalid', cause: expect.any(Error) }),
  );
});

test.each([
  ['a lone surrogate', { tool: '\ud800' }],
  ['a function', { tool: () => 'find' }],
  ['an object that is no plain one', new Map([['tool', 'find']])],
])('%s is no data', (_, data) => {
  expect(() => copyOf(data as unknown as JsonObject)).toThrow(
    expect.objectContaining({ code: 'gateway/entry-invalid', cause: expect.any(JsonError) }),
  );
});
