import { expect, test } from 'vitest';
import { MAX_DESCRIPTION_BYTES, sealDefinition } from './sealed-definition.ts';

const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false };
const raw = { name: 'add', description: 'Adds.', inputSchema: schema };

test('a definition is copied and frozen all the way down', () => {
  const changing = structuredClone({
    ...raw,
    title: 'Add',
    outputSchema: schema,
    annotations: { readOnlyHint: true },
  });
  const { definition } = sealDefinition(changing);
  changing.description = 'Deletes.';
  changing.inputSchema.properties.a.type = 'string';
  changing.annotations.readOnlyHint = false;
  expect(definition).toEqual({
    ...raw,
    title: 'Add',
    outputSchema: schema,
    annotations: { readOnlyHint: true },
  });
  for (const part of [
    definition,
    definition.inputSchema,
    definition.inputSchema['properties'],
    definition.annotations,
  ]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test('what is shown is what is enforced', () => {
  const { definition, input } = sealDefinition(raw);
  expect(definition.inputSchema).toBe(input.json);
});

test('each member of a definition is read once, so that a changing getter shows one face', () => {
  const names = ['add', 'delete_everything'];
  const types = ['object', 'string'];
  const { definition } = sealDefinition({
    get name() {
      return names.shift();
    },
    description: '',
    get inputSchema() {
      return { type: types.shift() };
    },
  });
  expect([definition.name, definition.inputSchema]).toEqual(['add', { type: 'object' }]);
});

test('a sealed definition keeps its identity when it is sealed again', () => {
  const sealed = sealDefinition(raw);
  expect(sealDefinition(sealed.definition)).toBe(sealed);
  expect(sealDefinition(sealed.definition, { trust: 'own', strict: false })).toBe(sealed);
});

test('other options compile a sealed definition anew', () => {
  const sealed = sealDefinition(raw);
  const foreign = sealDefinition(sealed.definition, { trust: 'foreign' });
  expect(foreign).not.toBe(sealed);
  expect(foreign.definition).toEqual(sealed.definition);
});

test('a definition that was sealed as foreign stays foreign for who says nothing, such as a guard', () => {
  const engine = { compile: () => ({ test: () => true }) };
  const sealed = sealDefinition(raw, { trust: 'foreign', patternEngine: engine });
  expect(sealDefinition(sealed.definition)).toBe(sealed);
  expect(sealDefinition(sealed.definition, { trust: 'own' })).not.toBe(sealed);
});

test('a copy of a sealed definition is not believed to be sealed', () => {
  const sealed = sealDefinition(raw);
  expect(sealDefinition({ ...sealed.definition }).definition).not.toBe(sealed.definition);
});

test('hints that are unknown are left out', () => {
  const annotations = { title: 'T', openWorldHint: false, destructiveHint: true, idempotentHint: true, x: 1 };
  expect(sealDefinition({ ...raw, annotations }).definition.annotations).toEqual({
    title: 'T',
    openWorldHint: false,
    destructiveHint: true,
    idempotentHint: true,
  });
});

test('a description may be empty or 32 KiB, and not a byte longer', () => {
  const longest = '\u00fc'.repeat(MAX_DESCRIPTION_BYTES / 2);
  expect(sealDefinition({ ...raw, description: longest }).definition.description).toBe(longest);
  expect(sealDefinition({ ...raw, description: '' }).definition.description).toBe('');
  expect(() => sealDefinition({ ...raw, description: `${longest}x` })).toThrow(
    expect.objectContaining({ code: 'tool/definition-invalid' }),
  );
});

const throwing = (name: string) =>
  Object.defineProperty({ ...raw }, name, {
    get: () => {
      throw new Error('trap');
    },
  });

const bad: readonly (readonly [string, unknown, string])[] = [
  ['nothing', undefined, 'tool/definition-invalid'],
  ['null', null, 'tool/definition-invalid'],
  ['a text', 'add', 'tool/definition-invalid'],
  ['a name that throws', throwing('name'), 'tool/definition-invalid'],
  ['a schema that throws', throwing('inputSchema'), 'tool/definition-invalid'],
  ['no name', { ...raw, name: undefined }, 'tool/name-invalid'],
  ['no description', { ...raw, description: undefined }, 'tool/definition-invalid'],
  ['a description that is no text', { ...raw, description: 7 }, 'tool/definition-invalid'],
  ['half a character', { ...raw, description: '\ud83d' }, 'tool/definition-invalid'],
  ['a long title', { ...raw, title: 'x'.repeat(1_025) }, 'tool/definition-invalid'],
  ['annotations that are a list', { ...raw, annotations: [] }, 'tool/definition-invalid'],
  ['a hint as text', { ...raw, annotations: { readOnlyHint: 'true' } }, 'tool/definition-invalid'],
  ['a title in the hints that is no text', { ...raw, annotations: { title: 1 } }, 'tool/definition-invalid'],
  ['no schema', { ...raw, inputSchema: undefined }, 'tool/schema-invalid'],
  ['a schema that takes all', { ...raw, inputSchema: true }, 'tool/schema-invalid'],
  ['a schema that says nothing', { ...raw, inputSchema: {} }, 'tool/schema-invalid'],
  ['a schema of a text', { ...raw, inputSchema: { type: 'string' } }, 'tool/schema-invalid'],
  [
    'a schema that also takes texts',
    { ...raw, inputSchema: { type: ['object', 'string'] } },
    'tool/schema-invalid',
  ],
  [
    'a keyword of the wrong type',
    { ...raw, inputSchema: { type: 'object', required: 'a' } },
    'tool/schema-invalid',
  ],
  ['an output schema that takes all', { ...raw, outputSchema: true }, 'tool/schema-invalid'],
  ['a broken output schema', { ...raw, outputSchema: { type: 7 } }, 'tool/schema-invalid'],
  [
    'a reference to the network',
    { ...raw, inputSchema: { type: 'object', $ref: 'https://x.example/s' } },
    'tool/schema-invalid',
  ],
];

test.each(bad)('%s is refused', (_, definition, code) => {
  expect(() => sealDefinition(definition)).toThrow(expect.objectContaining({ code }));
});

test('a refused schema tells where and keeps the cause', () => {
  const inputSchema = { type: 'object', properties: { a: { minimum: 'x' } } };
  expect(() => sealDefinition({ ...raw, inputSchema })).toThrow(
    expect.objectContaining({
      code: 'tool/schema-invalid',
      pointer: '/properties/a/minimum',
      cause: expect.objectContaining({ code: 'schema/keyword-invalid' }),
    }),
  );
});

test('members named after the prototype are members like any other', () => {
  const inputSchema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}',
  );
  const { definition, input } = sealDefinition({ ...raw, inputSchema });
  expect(JSON.stringify(definition.inputSchema)).toBe(JSON.stringify(inputSchema));
  expect(input.check(JSON.parse('{"__proto__":7}'))).toBe(false);
  expect(input.check({})).toBe(true);
});
