import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';

/** One bit for each type of JSON Schema. `fraction` stands for the numbers that are no integers. */
export const typeBit = {
  null: 1,
  boolean: 2,
  object: 4,
  array: 8,
  integer: 16,
  fraction: 32,
  string: 64,
} as const;

/** Every type. */
export const anyType = 127;
/** Integers and all other numbers. */
export const numberTypes: number = typeBit.integer | typeBit.fraction;

const byName: ReadonlyMap<JsonValue, number> = new Map<JsonValue, number>([
  ['null', typeBit.null],
  ['boolean', typeBit.boolean],
  ['object', typeBit.object],
  ['array', typeBit.array],
  ['integer', typeBit.integer],
  ['number', numberTypes],
  ['string', typeBit.string],
]);

/** The types that `type` admits, as bits. */
export function typesOf(json: JsonObject): number {
  const type = member(json, 'type');
  if (type === undefined) return anyType;
  const names = isJsonArray(type) ? type : [type];
  return names.reduce<number>((bits, name) => bits | (byName.get(name) ?? 0), 0);
}

/** The type of a value as one bit. A whole number is an integer however it was written (Core 4.2.3). */
export function typeOf(value: JsonValue): number {
  if (typeof value === 'string') return typeBit.string;
  if (typeof value === 'number') return Number.isInteger(value) ? typeBit.integer : typeBit.fraction;
  if (typeof value === 'boolean') return typeBit.boolean;
  if (value === null) return typeBit.null;
  if (isJsonArray(value)) return typeBit.array;
  // A function or a symbol that got this far is of no type, whatever the declared types say.
  return typeof value === 'object' ? typeBit.object : 0;
}
