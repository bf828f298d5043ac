import { compileSchema, type JsonObject, type JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../test-support/endpoint-rules.ts';
import { instanceOf, plainSchema } from '../../test-support/plain-schemas.ts';
import type { ResponseFormat } from '../call/model-call.ts';
import { projectFormat } from './project-format.ts';
import { SCHEMA_PROFILES, type SchemaTarget } from './schema-profiles.ts';

const TARGETS = Object.keys(SCHEMA_PROFILES) as SchemaTarget[];
/** What an endpoint takes for answers, where that is not what it takes for tools. */
const ANSWERS: Partial<Record<SchemaTarget, SchemaTarget>> = {
  anthropic: 'anthropic-strict',
  gemini: 'gemini-json',
};

function project(schema: JsonObject, target: SchemaTarget, more: object = {}) {
  const { format, losses, restores, restoreText } = projectFormat(
    { kind: 'json-schema', schema, ...more },
    target,
  );
  if (format.kind !== 'json-schema') throw new Error('a schema stays one');
  return { ...format, losses, restores, restoreText };
}

const OPTIONAL: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
};

describe.each(TARGETS)('an answer of %s', (target) => {
  test('has a schema that the endpoint takes, and restored it is what the caller asked for', () => {
    const numbers = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(plainSchema, numbers, (schema, choices) => {
        const { schema: projected, strict, restoreText } = project(schema, target);
        const rules = ANSWERS[target] ?? target;
        const plain = rules === 'openai-strict' && strict !== true ? 'openai' : rules;
        if (rules !== 'anthropic-strict') expect(complaints(projected, plain)).toEqual([]);
        let next = 0;
        const written = instanceOf(projected, projected, (bound) => {
          next += 1;
          return (choices[next % choices.length] ?? 0) % bound;
        });
        const answer: JsonValue = JSON.parse(restoreText(JSON.stringify(written)));
        expect(compileSchema(schema).explain(answer)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test.each<[string, JsonObject, string]>([
    ['a list', { type: 'array', items: { type: 'string' } }, '["a","b"]'],
    ['a text', { type: 'string', enum: ['yes', 'no'] }, '"yes"'],
    ['a text or nothing', { type: ['string', 'null'] }, 'null'],
    [
      'a list of what is defined elsewhere',
      { type: 'array', items: { $ref: '#/$defs/one' }, $defs: { one: { type: 'string' } } },
      '["a"]',
    ],
  ])('that is %s is asked for under one member and comes back without it', (_, schema, text) => {
    const { schema: projected, losses, restoreText, restores } = project(schema, target);
    expect(projected).toMatchObject({ type: 'object', required: ['value'] });
    expect(restores).toBe(true);
    expect(restoreText(`{"value":${text}}`)).toBe(text);
    expect(losses).toContainEqual(
      expect.objectContaining({ code: 'relocated', path: '/responseFormat/schema' }),
    );
  });

  test('that nothing can match is refused before it is asked for', () => {
    const schema: JsonObject = { type: 'object', allOf: [{ type: 'object' }, { type: 'string' }] };
    expect(() => project(schema, target)).toThrow(
      expect.objectContaining({
        code: 'model/not-encodable',
        pointer: expect.stringMatching(/^\/responseFormat\/schema/),
      }),
    );
  });
});

describe('the strict mode', () => {
  test('is said where a schema is within it, and absence is undone', () => {
    const { schema, strict, restoreText } = project(OPTIONAL, 'openai-strict');
    expect(strict).toBe(true);
    expect(schema['required']).toEqual(['name', 'age']);
    expect(restoreText('{"name":"Ada","age":null}')).toBe('{"name":"Ada"}');
  });

  test('is not said for an open map, with the reason', () => {
    const open: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };
    const { strict, losses } = project(open, 'openai-strict', { strict: true });
    expect(strict).toBe(false);
    expect(losses[0]).toMatchObject({ code: 'approximated', severity: 'warning' });
  });

  test('is not forced on somebody who does not want it', () => {
    const { schema, strict, restores } = project(OPTIONAL, 'openai-strict', { strict: false });
    expect(strict).toBe(false);
    expect(schema['required']).toEqual(['name']);
    expect(restores).toBe(false);
  });

  test.each(['anthropic', 'gemini', 'openai'] as const)('is not spoken of elsewhere: %s', (target) => {
    expect(project(OPTIONAL, target)).not.toHaveProperty('strict');
  });
});

test('each constraint that is left out is a loss with its place', () => {
  const { losses } = project(OPTIONAL, 'anthropic');
  expect(losses).toContainEqual(
    expect.objectContaining({ code: 'dropped', path: '/responseFormat/schema/properties/name/minLength' }),
  );
});

test.each<ResponseFormat>([
  { kind: 'text' },
  { kind: 'json-object' },
  { kind: 'foreign', protocol: 'gemini', value: {} },
])('%j stays as it is', (format) => {
  const projected = projectFormat(format, 'openai-strict');
  expect(projected).toMatchObject({ losses: [], restores: false });
  expect(projected.format).toBe(format);
});

test.each(['Sorry.', '{"name":"Ada","age":nul', '{"name":"A","name":"B"}', ''])(
  'text that is no strict JSON is left alone: %j',
  (text) => {
    expect(project(OPTIONAL, 'openai-strict').restoreText(text)).toBe(text);
  },
);
