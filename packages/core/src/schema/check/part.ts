import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { member, numberMember } from '../member.ts';
import type { Dialect } from '../schema.ts';
import { assertingKeywords, pureTypes, pureTypesBy } from './pure-types.ts';
import type { Check } from './run.ts';
import { numberTypes, typeBit, typesOf } from './type-set.ts';
import { admittedValues, isScalar } from './value-check.ts';

/** How a part is tested: by its closure, or by a comparison that is too small to deserve a call. */
export type PartKind =
  | 'closure'
  | 'any'
  | 'string'
  | 'short-string'
  | 'strings'
  | 'integer'
  | 'integer-range'
  | 'number'
  | 'number-range'
  | 'boolean'
  | 'types'
  | 'values';

/**
 * One subschema as it is applied to the members or items of a value. Most members of real schemas are plain
 * scalars; testing them where they are met instead of calling a closure halves the time of a whole validation.
 */
export interface Part {
  /** The member it is for; the empty string for items. */
  readonly name: string;
  readonly kind: PartKind;
  /** The closure, for `closure` and `short-string`. The other kinds have none; what asks it nevertheless is refused. */
  readonly check: Check;
  /**
   * The smallest number, the fewest UTF-16 units that pass without a closer look, or the fewest strings of a list that
   * asks for nothing else.
   */
  readonly minimum: number;
  readonly maximum: number;
  /** Bits of the types that pass, for `types`. */
  readonly types: number;
  /** The scalars that pass, for `values`. */
  readonly values: ReadonlySet<JsonValue>;
  /** 1 for a required member. */
  readonly weight: number;
  /** Where the part stands among its siblings, counted from 1. */
  readonly position: number;
}

/** Which member a part is for. */
export interface PartPlace {
  readonly name: string;
  readonly required: boolean;
  readonly position: number;
}

const items: PartPlace = { name: '', required: false, position: 0 };

/**
 * The part for a subschema.
 *
 * @param closure - Gives the closure of the subschema, and makes it where that has to be. Most parts need none.
 */
export function partOf(
  json: JsonValue,
  dialect: Dialect,
  closure: () => Check,
  place: PartPlace = items,
): Part {
  const rest: Small = isJsonObject(json) ? small(json, dialect) : json === true ? { kind: 'any' } : {};
  const asks = rest.kind === undefined || rest.kind === 'short-string';
  return makePart(place, asks ? closure() : noClosure, rest);
}

const noClosure: Check = () => false;

/** What a part has besides its place and closure. */
type Small = Partial<Pick<Part, 'kind' | 'minimum' | 'maximum' | 'types' | 'values'>>;

function small(json: JsonObject, dialect: Dialect): Small {
  const asserting = assertingKeywords(json, dialect);
  if (asserting.length === 0) return { kind: 'any' };
  const only = (...keywords: readonly string[]): boolean =>
    asserting.every((keyword) => keywords.includes(keyword));
  const pure = pureTypesBy(asserting, json, dialect);
  if (pure !== undefined) return typeKinds.get(pure) ?? { kind: 'types', types: pure };
  if (only('type', 'enum', 'const')) return smallValues(json);
  const types = typesOf(json);
  if (types === typeBit.array && only('type', 'items', 'minItems', 'maxItems'))
    return smallList(json, dialect);
  const kind = typeKinds.get(types)?.kind;
  if (kind === 'string' && only('type', 'minLength', 'maxLength')) {
    // A code point takes one or two units.
    const minimum = 2 * (numberMember(json, 'minLength') ?? 0) - 1;
    return { kind: 'short-string', minimum, maximum: numberMember(json, 'maxLength') ?? Infinity };
  }
  if ((kind === 'integer' || kind === 'number') && only('type', 'minimum', 'maximum')) {
    return {
      kind: kind === 'integer' ? 'integer-range' : 'number-range',
      minimum: numberMember(json, 'minimum') ?? -Infinity,
      maximum: numberMember(json, 'maximum') ?? Infinity,
    };
  }
  return {};
}

const typeKinds: ReadonlyMap<number, { readonly kind: 'string' | 'boolean' | 'integer' | 'number' }> =
  new Map([
    [typeBit.string, { kind: 'string' }],
    [typeBit.boolean, { kind: 'boolean' }],
    [typeBit.integer, { kind: 'integer' }],
    [numberTypes, { kind: 'number' }],
  ] as const);

function smallList(json: JsonObject, dialect: Dialect): Small {
  if (pureTypes(member(json, 'items') ?? true, dialect) !== typeBit.string) return {};
  return {
    kind: 'strings',
    minimum: numberMember(json, 'minItems') ?? 0,
    maximum: numberMember(json, 'maxItems') ?? Infinity,
  };
}

function smallValues(json: JsonObject): Small {
  const values = admittedValues(json);
  return values?.every(isScalar) === true ? { kind: 'values', values: new Set(values) } : {};
}

const noValues: ReadonlySet<JsonValue> = new Set();

/** The only place where a part is made: one hidden class for all keeps {@link passes} fast. */
function makePart(place: PartPlace, check: Check, rest: Small): Part {
  return {
    name: place.name,
    kind: rest.kind ?? 'closure',
    check,
    minimum: rest.minimum ?? -Infinity,
    maximum: rest.maximum ?? Infinity,
    types: rest.types ?? 0,
    values: rest.values ?? noValues,
    weight: place.required ? 1 : 0,
    position: place.position,
  };
}
