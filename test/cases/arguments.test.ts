import {
  compileSchema,
  createGate,
  defineTool,
  type JsonObject,
  type Outcome,
  type Repair,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';

/** What one call comes to, what the model is told, and what the handler got. */
async function propose(input: JsonObject, text: string, repair?: Repair) {
  const got: unknown[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input,
    profile: { class: 'read' },
    execute: (given) => {
      got.push(given);
    },
  });
  const session = await createGate({ tools: [tool], ...(repair === undefined ? {} : { repair }) }).open();
  const outcome: Outcome = await session.execute({ id: 'c', name: 't', arguments: text });
  await session.close();
  return { outcome, got, told: outcome.kind === 'suspended' ? '' : outcome.output.text() };
}

const modes: JsonObject = {
  type: 'object',
  oneOf: [
    { properties: { mode: { const: 'latest' }, limit: { type: 'integer' } }, required: ['mode'] },
    { properties: { mode: { const: 'window' }, from: { type: 'string' } }, required: ['mode', 'from'] },
  ],
};

describe('what a model is told about wrong arguments', () => {
  test('is the place, the expectation and the type that was found, and never a long value', async () => {
    const input: JsonObject = {
      type: 'object',
      properties: { path: { type: 'string' }, note: { type: 'integer' } },
    };
    const secret = 'k'.repeat(200);
    const { told, got } = await propose(input, `{"path":123,"note":"${secret}"}`);
    expect(told).toMatch(/\/path.*string/);
    expect(told).toMatch(/\/note.*integer/);
    expect(told).not.toContain(secret);
    expect(got).toEqual([]);
  });

  test('names members that are not known, and those that are', async () => {
    const input: JsonObject = { type: 'object', properties: { page: {} }, additionalProperties: false };
    const { told } = await propose(input, '{"pagez":1}');
    expect(told).toContain('pagez');
    expect(told).toContain('"page"');
  });

  test('about a wrong tag of a union is one line with the tags that there are', async () => {
    const { told } = await propose(modes, '{"mode":"trending"}');
    expect(told.split('\n').filter((line) => line.includes('/mode'))).toHaveLength(1);
    expect(told).toContain('"latest"');
    expect(told).toContain('"window"');
    expect(told).not.toContain('/from');
  });

  test('about a thousand wrong items is short and says that there are more, in a union too', async () => {
    const items = JSON.stringify({ items: Array.from({ length: 1_000 }, () => 1) });
    for (const item of [{ type: 'object' }, { anyOf: [{ type: 'object' }, { type: 'string' }] }] as const) {
      const { told } = await propose(
        { type: 'object', properties: { items: { type: 'array', items: item } } },
        items,
      );
      expect(told.length).toBeLessThan(5_000);
      expect(told).toMatch(/more|first/i);
    }
  });
});

describe('arguments that a repair would have to change', () => {
  const order: JsonObject = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const twice = JSON.stringify(JSON.stringify({ id: '27422' }));
  const unwrap: Repair = ({ call }) => {
    const inner: unknown = JSON.parse(call.arguments);
    return typeof inner === 'string' ? inner : undefined;
  };

  test('are refused without one, with the type that the root has', async () => {
    const { outcome, told, got } = await propose(order, twice);
    expect([outcome.kind, outcome.reason]).toEqual(['invalid', 'arguments_not_object']);
    expect(told).toMatch(/object/);
    expect(got).toEqual([]);
  });

  test('are unwrapped one level with one, which the outcome shows', async () => {
    const { outcome, got } = await propose(order, twice, unwrap);
    expect(outcome).toMatchObject({ kind: 'completed', repairedFrom: twice });
    expect(got).toEqual([{ id: '27422' }]);
  });

  test('are refused where one level is not enough: nothing is repaired twice', async () => {
    const { outcome, got } = await propose(order, JSON.stringify(twice), unwrap);
    expect(outcome.kind).toBe('invalid');
    expect(got).toEqual([]);
  });
});

describe('values keep what they are', () => {
  test('an integer written with a fraction is that integer, in the handler and in what is bound to an approval', async () => {
    const input: JsonObject = { type: 'object', properties: { limit: { type: 'integer' } } };
    const { got } = await propose(input, '{"limit":3.0}');
    expect(got).toEqual([{ limit: 3 }]);
    for (const text of ['{"limit":3.5}', '{"limit":true}', '{"limit":"3"}'])
      expect((await propose(input, text)).outcome.reason).toBe('arguments_rejected');
  });

  test('a member of any type passes unchanged in its JSON type, and its declaration is noted', async () => {
    const input: JsonObject = { type: 'object', properties: { value: {} } };
    for (const value of [{ a: 1 }, '{"a":1}', [1], null, 0]) {
      const { got } = await propose(input, JSON.stringify({ value }));
      expect(got).toEqual([{ value }]);
    }
    expect(compileSchema(input).intake.notes).toMatchObject([
      { kind: 'untyped', pointer: '/properties/value' },
    ]);
  });

  test('checking never fills in a default: only preparing a call does, and it says so', async () => {
    const input: JsonObject = { type: 'object', properties: { limit: { type: 'integer', default: 10 } } };
    const value = {};
    compileSchema(input).check(value);
    expect(value).toEqual({});
    const { outcome, got } = await propose(input, '{}');
    expect(got).toEqual([{ limit: 10 }]);
    expect(outcome).toMatchObject({ filled: ['/limit'] });
  });
});
