import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const parse = (text: string): JsonValue => JSON.parse(text);

describe('only own members count', () => {
  test('a required name that every object inherits is missing from an empty one', () => {
    const schema = compileSchema({ required: ['toString', 'constructor'] });
    expect(schema.check({})).toBe(false);
    expect(schema.check(parse('{"toString":1,"constructor":2}'))).toBe(true);
  });

  test('a property called __proto__ is checked like any other', () => {
    const schema = compileSchema(
      parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    );
    expect(schema.check(parse('{"__proto__":"a"}'))).toBe(true);
    expect(schema.check(parse('{"__proto__":{}}'))).toBe(false);
    expect(schema.check({})).toBe(false);
  });

  test('an own __proto__ is an unknown member of a closed object', () => {
    const schema = compileSchema({ properties: { a: true }, additionalProperties: false });
    expect(schema.check(parse('{"__proto__":{"a":1}}'))).toBe(false);
  });

  /** Runs something while `Object.prototype` has another member. */
  function polluted<Result>(name: string, value: unknown, run: () => Result): Result {
    try {
      Object.defineProperty(Object.prototype, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      return run();
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }

  test('keywords that only Object.prototype has are not read', () => {
    expect(polluted('type', 'string', () => compileSchema({}).check(5))).toBe(true);
  });

  test('members that only Object.prototype has neither fulfil nor break a schema', () => {
    const closed = compileSchema({ type: 'object', properties: { a: true }, additionalProperties: false });
    const needs = compileSchema({ type: 'object', properties: { role: true }, required: ['role'] });
    const verdicts = (): unknown[] => [
      closed.check({ a: 1 }),
      needs.check({}),
      needs.explain({}).map(({ keyword }) => keyword),
    ];
    expect(verdicts()).toEqual([true, false, ['required']]);
    expect(polluted('role', 'admin', verdicts)).toEqual([true, false, ['required']]);
  });
});
