import { expect, test } from 'vitest';
import { compileSchema } from '../compile-schema.ts';

test('a value that takes more steps than a small one may is checked with those that its size allows', () => {
  const schema = compileSchema({ items: { type: 'integer', not: { const: -1 } } });
  const long = Array.from({ length: 300_000 }, (_, index) => index);
  expect(schema.check(long)).toBe(true);
  expect(schema.check([...long, -1])).toBe(false);
  expect([schema.check([1]), schema.check([-1])]).toEqual([true, false]);
});

test('a check that a pattern engine makes inside of a check is one of its own', () => {
  const inside: boolean[] = [];
  const patternEngine = {
    compile: () => ({
      test: (text: string) => {
        if (text === 'outer') inside.push(schema.check(['inner', 'inner']), schema.check([1]));
        return true;
      },
    }),
  };
  const schema = compileSchema(
    { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } },
    { trust: 'foreign', patternEngine },
  );
  expect(schema.check(['outer', 'outer'])).toBe(true);
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
  const schema = compileSchema(node, { trust: 'foreign', patternEngine });
  const nested = (depth: number): object => (depth === 0 ? { name: 'x' } : { next: nested(depth - 1) });
  for (let round = 0; round < 4; round += 1)
    expect(() => schema.check(nested(300) as never)).toThrow(TypeError);
  failing = false;
  expect(schema.check(nested(900) as never)).toBe(true);
});

test('many small checks do not use up one account', () => {
  const schema = compileSchema({ type: 'array', items: { type: 'object', maxProperties: 3 } });
  const list = Array.from({ length: 30_000 }, () => ({}));
  expect(Array.from({ length: 20 }, () => schema.check(list))).toEqual(
    Array.from({ length: 20 }, () => true),
  );
});
