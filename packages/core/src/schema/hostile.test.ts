import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic['properties'] = { self: cyclic };

/** Two references to each level: small to write, 2^40 values to copy. */
const doubling = Array.from({ length: 40 }).reduce<object>((below) => ({ allOf: [below, below] }), {});

function nested(depth: number, wrap: (below: unknown) => unknown): unknown {
  let value: unknown = true;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

describe('a schema that is no plain JSON is refused by name', () => {
  class Model {
    readonly type = 'string';
  }
  const refused: readonly (readonly [string, unknown, string, string])[] = [
    ['undefined', undefined, 'schema/not-a-schema', ''],
    ['null', null, 'schema/not-a-schema', ''],
    ['a string', '{}', 'schema/not-a-schema', ''],
    ['a number', 5, 'schema/not-a-schema', ''],
    ['an array', [], 'schema/not-a-schema', ''],
    ['a function', () => true, 'schema/not-a-schema', ''],
    ['a function inside', { properties: { a: () => true } }, 'schema/not-a-schema', '/properties/a'],
    ['a symbol inside', { const: Symbol('x') }, 'schema/not-a-schema', '/const'],
    ['a bigint inside', { maximum: 5n }, 'schema/not-a-schema', '/maximum'],
    ['NaN', { minimum: Number.NaN }, 'schema/not-a-schema', '/minimum'],
    ['an infinity', { enum: [1, -Infinity] }, 'schema/not-a-schema', '/enum/1'],
    ['an expression for a pattern', { pattern: /a/ }, 'schema/not-a-schema', '/pattern'],
    ['a date', { default: new Date(0) }, 'schema/not-a-schema', '/default'],
    ['a map', { properties: new Map() }, 'schema/not-a-schema', '/properties'],
    ['a class instance', new Model(), 'schema/not-a-schema', ''],
    ['a hole in a list', { enum: new Array(2) }, 'schema/not-a-schema', '/enum/0'],
    ['a lone surrogate', { const: '\ud800' }, 'schema/not-a-schema', '/const'],
    ['a lone surrogate in a name', { properties: { '\udc00': true } }, 'schema/not-a-schema', '/properties'],
    ['a cycle', cyclic, 'schema/not-a-schema', '/properties/self'],
    ['a huge tree of shared parts', doubling, 'schema/too-large', ''],
  ];
  test.each(refused)('%s', (_name, schema, code, pointer) => {
    expect(() => compileSchema(schema)).toThrow(
      expect.objectContaining({ name: 'SchemaError', code, pointer }),
    );
  });

  test.each<[string, object]>([
    [
      'getter',
      {
        get type() {
          throw new Error('secret');
        },
      },
    ],
    [
      'proxy',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('secret');
          },
        },
      ),
    ],
    [
      'revoked proxy',
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
  ])('a %s that throws is contained, and what it threw is only the cause', (_name, schema) => {
    const thrown = capture(() => compileSchema(schema));
    expect(thrown).toMatchObject({ name: 'SchemaError', code: 'schema/not-a-schema' });
    expect(String(thrown)).not.toContain('secret');
  });

  test('a getter is read once', () => {
    let reads = 0;
    const schema = compileSchema({
      get maximum() {
        reads += 1;
        return reads * 10;
      },
    });
    expect([reads, schema.check(10), schema.check(11), schema.json]).toEqual([
      1,
      true,
      false,
      { maximum: 10 },
    ]);
  });

  test('members that are undefined are absent, and a null prototype is plain', () => {
    const schema = compileSchema(
      Object.assign(Object.create(null), { type: 'string', description: undefined }),
    );
    expect(schema.json).toEqual({ type: 'string' });
  });

  test('nesting is refused by name long before the stack ends', () => {
    const deep = nested(100_000, (items) => ({ items }));
    expect(() => compileSchema(deep)).toThrow(expect.objectContaining({ code: 'schema/too-deep' }));
    expect(() =>
      compileSchema(
        nested(60, (items) => ({ items })),
        { trust: 'foreign' },
      ),
    ).toThrow(expect.objectContaining({ code: 'schema/too-deep' }));
  });

  test('any JSON that is taken for a schema compiles or is refused by a schema error', () => {
    const keywords = fc.constantFrom(
      'type',
      'items',
      'properties',
      '$ref',
      '$id',
      'allOf',
      'const',
      'pattern',
      'not',
      'default',
    );
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(true, false, null, 1, 'string', '#', '#/not', 'a'),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(keywords, tie('json'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(
        json,
        fc.jsonValue(),
        fc.constantFrom('own' as const, 'foreign' as const),
        (written, value, trust) => {
          try {
            const schema = compileSchema(written, { trust });
            expect(schema.explain(value as JsonValue).length === 0).toBe(schema.check(value as JsonValue));
          } catch (error) {
            expect(error).toMatchObject({ name: 'SchemaError' });
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a check ends, and what cannot be checked is refused', () => {
  const bomb = (keyword: string, levels: number): object => ({
    $defs: Object.fromEntries(
      Array.from({ length: levels }, (_, level) => {
        const next = level + 1 === levels ? { type: 'string' } : { $ref: `#/$defs/l${level + 1}` };
        return [`l${level}`, { [keyword]: [next, next] }] as const;
      }),
    ),
    $ref: '#/$defs/l0',
  });

  test.each(['allOf', 'oneOf'])('60 levels of two %s are given up within the budget', (keyword) => {
    const schema = compileSchema(bomb(keyword, 60), { trust: 'foreign' });
    expect(schema.check('a')).toBe(false);
    expect(schema.explain('a').map((issue) => issue.keyword)).toEqual(['(budget)']);
  });

  test('running out is a refusal under not, too', () => {
    const schema = compileSchema({ ...bomb('allOf', 60), $ref: undefined, not: { $ref: '#/$defs/l0' } });
    expect(schema.check('a')).toBe(false);
  });

  test('single applicators on one node multiply as well, and end as well', () => {
    const levels = Array.from({ length: 60 }, (_, level) => {
      const next = { $ref: `#/$defs/l${level + 1}` };
      return [`l${level}`, { $ref: next.$ref, if: next, anyOf: [next], not: { not: next } }] as const;
    });
    const schema = compileSchema({ $defs: { ...Object.fromEntries(levels), l60: true }, $ref: '#/$defs/l0' });
    expect(schema.check({})).toBe(false);
  });

  test('members and patterns multiply with the depth of a value, and end', () => {
    const schema = compileSchema({
      properties: { a: { $ref: '#' } },
      patternProperties: { '^a': { $ref: '#' } },
    });
    let value: JsonValue = {};
    for (let depth = 0; depth < 60; depth += 1) value = { a: value };
    expect(schema.check(value)).toBe(false);
    expect(schema.explain(value).map((issue) => issue.keyword)).toEqual(['(budget)']);
  });

  test('unevaluated members under a bomb end', () => {
    const schema = compileSchema({ ...bomb('anyOf', 60), unevaluatedProperties: false });
    expect(schema.check('a')).toBe(false);
  });

  test('a default under a bomb is refused where it is declared', () => {
    const written = {
      ...bomb('allOf', 60),
      $ref: undefined,
      properties: { a: { $ref: '#/$defs/l0', default: 'a' } },
    };
    expect(() => compileSchema(written)).toThrow(expect.objectContaining({ code: 'schema/default-invalid' }));
  });

  test('an honest schema may take as long as its value is large', () => {
    const union = {
      anyOf: Array.from({ length: 30 }, (_, index) => ({ properties: { kind: { const: index } } })),
    };
    const schema = compileSchema({ items: union });
    expect(schema.check(Array.from({ length: 50_000 }, () => ({ kind: 29 })))).toBe(true);
  });

  test('five thousand keywords over a long text are charged by its length', () => {
    const schema = compileSchema({ allOf: Array.from({ length: 5_000 }, () => ({ minLength: 400_000 })) });
    expect(schema.check('\ud83d\ude00'.repeat(500_000))).toBe(false);
  });

  test('a value deeper than any reader would pass is refused, not a crash', () => {
    const schema = compileSchema({ type: 'array', items: { $ref: '#' } });
    let value: JsonValue = [];
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(schema.check(value)).toBe(false);
    expect(schema.explain(value).map((issue) => issue.keyword)).toEqual(['(depth)']);
    expect(compileSchema({ uniqueItems: true, items: { uniqueItems: true } }).check([value, value])).toBe(
      false,
    );
  });

  test('a value that contains itself is refused by a recursive schema', () => {
    const schema = compileSchema({ type: 'array', items: { $ref: '#' } });
    const value: JsonValue[] = [];
    value.push(value);
    expect(schema.check(value)).toBe(false);
  });

  test('200,000 different objects are compared in linear time', () => {
    const schema = compileSchema({ uniqueItems: true });
    const items = Array.from({ length: 200_000 }, (_, index) => ({ id: index }));
    expect(schema.check(items)).toBe(true);
    expect(schema.check([...items, { id: 199_999 }])).toBe(false);
  });

  test('100,000 unknown members of an open object are walked once', () => {
    const schema = compileSchema({ properties: { a: true }, patternProperties: { '^zz': false } });
    expect(
      schema.check(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, index]))),
    ).toBe(true);
  });

  test('checks may nest: an engine that checks in turn changes nothing', () => {
    const inner = compileSchema({ type: 'array', items: { $ref: '#' } });
    const patternEngine = { compile: () => ({ test: () => inner.check([[[]]]) && !outer.check(5) }) };
    const outer = compileSchema(
      { items: { type: 'string', pattern: '^(a|a)*$' }, type: 'array' },
      { trust: 'foreign', patternEngine },
    );
    expect(outer.check(['a', 'b'])).toBe(true);
  });
});

function capture(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a short value does not grow by the size of a default', () => {
  const empty = (count: number): JsonValue[] => Array.from({ length: count }, () => ({}));
  const big = { items: { properties: { d: { default: Array.from({ length: 1_000 }, () => 0) } } } };

  test('what is put in is bounded, and a value that is filled in part does not match', () => {
    const schema = compileSchema(big, { trust: 'foreign' });
    const value = empty(20_000);
    const filled = schema.applyDefaults(value);
    expect(filled.length).toBeLessThan(1_500);
    expect(schema.check(value)).toBe(false);
    expect(schema.explain(value).map((issue) => issue.keyword)).toEqual(['(budget)']);
  });

  test('an honest value of the same schema is filled to its end', () => {
    const schema = compileSchema(big, { trust: 'foreign' });
    const value = empty(200);
    expect(schema.applyDefaults(value).length).toBe(200);
    expect([schema.check(value), schema.explain(value)]).toEqual([true, []]);
  });

  test('members that each have a default are all filled, or the value does not match', () => {
    const names = Array.from({ length: 400 }, (_, index) => [`p${index}`, { default: 1 }]);
    const schema = compileSchema({ items: { properties: Object.fromEntries(names) } }, { trust: 'foreign' });
    const value = empty(10_000);
    schema.applyDefaults(value);
    const last = value.at(-1);
    expect(Object.keys(last as object)).toEqual([]);
    expect(schema.check(value)).toBe(false);
  });

  test('a default made of defaults that double is not built', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/l${level + 1}`, default: {} };
      return [`l${level}`, { properties: { a: next, b: next } }] as const;
    });
    const $defs = { ...Object.fromEntries(levels), l40: { type: 'object' } };
    const schema = compileSchema({ $defs, items: { $ref: '#/$defs/l28' } }, { trust: 'foreign' });
    const value = empty(50_000);
    expect(schema.applyDefaults(value).length).toBeLessThan(50_000);
    expect(schema.check(value)).toBe(false);
  });
});

test('a value is compared with listed arrays by one look, however much of it they share', () => {
  let reads = 0;
  const shared = (last: number): number[] => [...Array.from({ length: 100 }, () => 0), last];
  const schema = compileSchema({ enum: Array.from({ length: 500 }, (_, index) => shared(index)) });
  const value = new Proxy(shared(499), {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  expect(schema.check(value)).toBe(true);
  expect(reads).toBeLessThan(1_000);
});
