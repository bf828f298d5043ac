import { expect, test } from 'vitest';
import { compileSchema } from '../compile-schema.ts';

test('a value that takes more steps than a small one may is checked with those that its size allows', () => {
  const { check } = compileSchema({ items: { type: 'integer', not: { const: -1 } } });
  const long = Array.from({ length: 300_000 }, (_, index) => index);
  expect(check(long)).toBe(true);
  expect(check([...long, -1])).toBe(false);
  expect([check([1]), check([-1])]).toEqual([true, false]);
});

test('a check that a pattern engine makes inside of a check is one of its own', () => {
  const inside: boolean[] = [];
  const patternEngine = {
    compile: () => ({
      test: (text: string) => {
        if (text === 'outer') inside.push(check(['inner', 'inner']), check([1]));
        return true;
      },
    }),
  };
  const { check } = compileSchema(
    { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } },
    { trust: 'foreign', patternEngine },
  );
  expect(check(['outer', 'outer'])).toBe(true);
  expect(inside).toEqual([true, false, true, false]);
});

test('a check that was ended by what a pattern engine threw leaves nothing to the next one', () => {
  let failing = true;
  const patternEngine = {
    compile: () => ({
      test: () => {
        if (failing) throw new TypeError('no');
        return true;
      },
    }),
  };
  const node = { properties: { next: { $ref: '#' }, name: { pattern: '^(a+)+$' } } };
  const { check } = compileSchema(node, { trust: 'foreign', patternEngine });
  const nested = (depth: number): object => (depth === 0 ? { name: 'x' } : { next: nested(depth - 1) });
  for (let round = 0; round < 4; round += 1) expect(() => check(nested(300) as never)).toThrow(TypeError);
  failing = false;
  expect(check(nested(900) as never)).toBe(true);
});

test('many small checks do not use up one account', () => {
  const { check } = compileSchema({ type: 'array', items: { type: 'object', maxProperties: 3 } });
  const list = Array.from({ length: 30_000 }, () => ({}));
  expect(Array.from({ length: 20 }, () => check(list))).toEqual(Array.from({ length: 20 }, () => true));
});
