import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { isJsonArray } from '../src/codec/wire-reader.ts';

const scalar: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { enum: ['a', 'b'] },
  { type: 'string', enum: ['x', 'y'] },
  { const: 'fixed' },
  { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  { $ref: '#/$defs/Shared' },
  { $ref: '#/$defs/Shared', description: 'Words beside a reference.' },
);

const names = fc.constantFrom('a', 'b', 'kind', '$top', 'x y', 'filter[id]');

function objectOf(member: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(names, member, { maxKeys: 3 }).chain((properties) =>
    fc.subarray(Object.keys(properties)).map((required) => ({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    })),
  );
}

function memberOf(depth: number): fc.Arbitrary<JsonObject> {
  if (depth === 0) return scalar;
  const inner = memberOf(depth - 1);
  const tagged = (kind: string) =>
    objectOf(inner).map(({ properties, required, ...rest }): JsonObject => {
      const { kind: _kind, ...others } = properties as JsonObject;
      const needed = (required as string[]).filter((name) => name !== 'kind');
      return { ...rest, properties: { ...others, kind: { const: kind } }, required: [...needed, 'kind'] };
    });
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    objectOf(inner),
    inner.map((items): JsonObject => ({ type: 'array', items })),
    fc.tuple(tagged('one'), tagged('two')).map((anyOf): JsonObject => ({ anyOf })),
    fc.tuple(tagged('one'), tagged('two')).map((oneOf): JsonObject => ({ oneOf, description: 'Either.' })),
    objectOf(inner).map((part): JsonObject => ({ allOf: [part] })),
    fc.constant<JsonObject>({ $ref: '#/$defs/Tree' }),
  );
}

/** Schemas made only of what every endpoint can say in some form, so that a projection keeps their meaning. */
export const plainSchema: fc.Arbitrary<JsonObject> = objectOf(memberOf(2)).map((schema) => ({
  ...schema,
  $defs: {
    Shared: { type: 'string' },
    Tree: {
      type: 'object',
      properties: { left: { $ref: '#/$defs/Tree' }, value: { type: 'integer' } },
      required: ['value'],
      additionalProperties: false,
    },
  },
}));

/** Answers one question after the other: a number below the bound. */
export type Choose = (bound: number) => number;

/** A value that a projected schema accepts: every optional thing and every branch is a question to `choose`. */
export function instanceOf(
  schema: JsonValue | undefined,
  root: JsonObject,
  choose: Choose,
  depth = 0,
): JsonValue {
  if (!isJsonObject(schema)) return null;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const definitions = root['$defs'];
    const target = isJsonObject(definitions) ? definitions[reference.slice('#/$defs/'.length)] : undefined;
    return instanceOf(target, root, choose, depth + 1);
  }
  const deep = depth > 6;
  if (schema['nullable'] === true && choose(2) === 0) return null;
  const { anyOf, oneOf, allOf } = schema;
  if (isJsonArray(allOf)) return instanceOf(allOf[0], root, choose, depth);
  const branches = isJsonArray(anyOf) ? anyOf : isJsonArray(oneOf) ? oneOf : undefined;
  if (branches !== undefined) {
    const last = branches[branches.length - 1];
    const picked =
      deep && isJsonObject(last) && last['type'] === 'null' ? last : branches[choose(branches.length)];
    return instanceOf(picked, root, choose, depth + 1);
  }
  if ('const' in schema) return schema['const'] ?? null;
  const values = schema['enum'];
  if (isJsonArray(values)) return values[choose(values.length)] ?? null;
  const types = (isJsonArray(schema['type']) ? schema['type'] : [schema['type'] ?? 'string']).map(String);
  switch (String(types[choose(types.length)]).toLowerCase()) {
    case 'object':
      return objectInstance(schema, root, choose, depth);
    case 'array':
      return deep
        ? []
        : Array.from({ length: choose(3) }, () => instanceOf(schema['items'], root, choose, depth + 1));
    case 'integer':
    case 'number':
      return choose(100);
    case 'boolean':
      return choose(2) === 0;
    case 'null':
      return null;
    default:
      return `text ${choose(10)}`;
  }
}

function objectInstance(schema: JsonObject, root: JsonObject, choose: Choose, depth: number): JsonObject {
  const members = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = isJsonArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(members).flatMap(([name, member]): [string, JsonValue][] => {
    if (!required.includes(name) && (depth > 6 || choose(2) === 0)) return [];
    return [[name, instanceOf(member, root, choose, depth + 1)]];
  });
  return Object.fromEntries(entries);
}
