import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

test.each<[string, JsonObject]>([
  ['with no members', { type: 'object', properties: {} }],
  ['without a type', { properties: { a: { type: 'string' } } }],
  ['with patterns', { type: 'object', patternProperties: { '^x': { type: 'string' } } }],
])('a root %s is reported as open and lets a misspelt member through', (_, schema) => {
  for (const trust of ['own', 'foreign'] as const) {
    const compiled = compileSchema(schema, { trust });
    expect(compiled.intake.open).toBe(true);
    expect(compiled.check({ pagez: 1 })).toBe(true);
  }
});

test.each<[string, JsonObject]>([
  ['that is closed', { type: 'object', properties: {}, additionalProperties: false }],
  ['that says that it is open', { type: 'object', properties: {}, additionalProperties: true }],
  ['whose parts may close it', { type: 'object', allOf: [{ unevaluatedProperties: false }] }],
  ['that is no object', { type: 'string' }],
])('a root %s is not reported as open', (_, schema) => {
  expect(compileSchema(schema, { trust: 'foreign' }).intake).not.toHaveProperty('open');
});
