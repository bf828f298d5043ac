import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { entriesMember, listMember, member } from '../member.ts';

/** A subschema for a member or an item of the value that its parent describes. */
export interface PartPosition {
  /** `m:` and a member name; `m*` for members by pattern or by being unknown; `items`. */
  readonly key: string;
  readonly schema: OwnedSchema;
}

/** How the keywords of one subschema relate to the value it describes. Boolean subschemas are left out. */
export interface SchemaLayout {
  /** For members and items. */
  readonly positions: readonly PartPosition[];
  /** For the same value, and always in force together with the rest. */
  readonly together: readonly OwnedSchema[];
  /** For the same value, as alternatives of each other. */
  readonly alternatives: readonly {
    readonly keyword: 'anyOf' | 'oneOf';
    readonly branches: readonly OwnedSchema[];
  }[];
  /** Where a stricter schema would accept more: conditions, and what is counted. */
  readonly untouchable: readonly OwnedSchema[];
  readonly reference: string | undefined;
}

/** Reads the layout of one subschema, 2020-12 or draft-07. */
export function layoutOf(json: OwnedSchema): SchemaLayout {
  return {
    positions: positionsOf(json),
    together: schemas([
      ...listMember(json, 'allOf'),
      member(json, 'then'),
      member(json, 'else'),
      ...entriesMember(json, 'dependentSchemas').map(([, schema]) => schema),
      ...entriesMember(json, 'dependencies').map(([, schema]) => schema),
    ]),
    alternatives: (['anyOf', 'oneOf'] as const)
      .filter((keyword) => Object.hasOwn(json, keyword))
      .map((keyword) => ({ keyword, branches: schemas(listMember(json, keyword)) })),
    untouchable: schemas([
      member(json, 'if'),
      member(json, 'not'),
      member(json, 'contains'),
      member(json, 'propertyNames'),
    ]),
    reference: referenceOf(json),
  };
}

/** Whether the subschema itself names members, or says which may be unknown. */
export function namesMembers(json: OwnedSchema): boolean {
  return ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => Object.hasOwn(json, keyword),
  );
}

function referenceOf(json: OwnedSchema): string | undefined {
  const reference = member(json, '$ref') ?? member(json, '$dynamicRef');
  return typeof reference === 'string' ? reference : undefined;
}

function positionsOf(json: OwnedSchema): readonly PartPosition[] {
  const items = member(json, 'items');
  return [
    ...at('m:', entriesMember(json, 'properties')),
    ...at(
      'm*',
      entriesMember(json, 'patternProperties').map(([, schema]) => ['', schema]),
    ),
    ...at('m*', [
      ['', member(json, 'additionalProperties')],
      ['', member(json, 'unevaluatedProperties')],
    ]),
    ...at(
      'items',
      [
        ...listMember(json, 'prefixItems'),
        ...(Array.isArray(items) ? listMember(json, 'items') : [items]),
      ].map((schema) => ['', schema]),
    ),
    ...at('items', [
      ['', member(json, 'additionalItems')],
      ['', member(json, 'unevaluatedItems')],
    ]),
  ];
}

function at(
  prefix: string,
  entries: readonly (readonly [string, JsonValue | undefined])[],
): readonly PartPosition[] {
  return entries.flatMap(([name, schema]) =>
    isJsonObject(schema) ? [{ key: `${prefix}${name}`, schema: ownedPart(schema) }] : [],
  );
}

function schemas(values: readonly (JsonValue | undefined)[]): readonly OwnedSchema[] {
  return values.flatMap((value) => (isJsonObject(value) ? [ownedPart(value)] : []));
}
