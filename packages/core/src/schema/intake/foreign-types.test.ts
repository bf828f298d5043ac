import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const take = (schema: JsonObject) => compileSchema(schema, { trust: 'foreign' });
const typeOf = (type: JsonValue): unknown => {
  const { json } = take({ properties: { a: { type } } });
  return json;
};

describe('the name of a type of another language', () => {
  test.each<[JsonValue, JsonValue]>([
    ['int', 'integer'],
    ['float', 'number'],
    ['str', 'string'],
    ['bool', 'boolean'],
    ['list', 'array'],
    ['dict', 'object'],
    ['None', 'null'],
    ['STRING', 'string'],
    ['Integer', 'integer'],
    [
      ['str', 'None'],
      ['string', 'null'],
    ],
    [['int', 'integer'], ['integer']],
  ])('is read as what it means, with a note: %j', (type, meant) => {
    expect(typeOf(type)).toEqual({ properties: { a: { type: meant } } });
    const { notes } = take({ properties: { a: { type } } }).intake;
    expect(notes.map(({ pointer }) => pointer)).toContain('/properties/a/type');
  });

  test('is enforced as what it means, also where OpenAPI makes it nullable', () => {
    const gemini = {
      type: 'OBJECT',
      properties: { n: { type: 'INTEGER', nullable: true } },
      required: ['n'],
    };
    const schema = take(gemini);
    expect(schema.json).toEqual({
      type: 'object',
      properties: { n: { type: ['integer', 'null'] } },
      required: ['n'],
    });
    expect([{ n: 1 }, { n: null }, { n: '1' }, {}].map((value) => schema.check(value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('that may be anything is left out', () => {
    expect(typeOf('Any')).toEqual({ properties: { a: {} } });
    expect(typeOf(['str', 'ANY'])).toEqual({ properties: { a: {} } });
  });

  test.each<JsonValue>(['date', 'file', ['str', 'date'], '', 'constructor', 1])(
    'is refused where it means nothing: %j',
    (type) => {
      expect(() => typeOf(type)).toThrow(expect.objectContaining({ code: 'schema/keyword-invalid' }));
    },
  );

  test('is refused in a schema of one’s own, whose author learns of it, and left alone in values', () => {
    expect(() => compileSchema({ type: 'OBJECT' })).toThrow(/type must be/);
    const data = { const: { type: 'int' }, default: { type: 'int' } };
    expect(take(data).json).toEqual(data);
  });
});
