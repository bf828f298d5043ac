import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray } from '../member.ts';
import type { Check } from './run.ts';
import { anyType, numberTypes, typeBit, typeOf } from './type-set.ts';

const single: ReadonlyMap<number, Check> = new Map<number, Check>([
  [typeBit.null, (value) => value === null],
  [typeBit.boolean, (value) => typeof value === 'boolean'],
  [typeBit.object, (value) => isJsonObject(value)],
  [typeBit.array, (value) => isJsonArray(value)],
  [typeBit.integer, (value) => Number.isInteger(value)],
  [numberTypes, (value) => typeof value === 'number'],
  [typeBit.string, (value) => typeof value === 'string'],
  [typeBit.string | typeBit.null, (value) => typeof value === 'string' || value === null],
]);

/** A check for one of `types` (bits), or undefined when every value has one. */
export function typeCheck(types: number): Check | undefined {
  if (types === anyType) return undefined;
  return single.get(types) ?? ((value: JsonValue) => (typeOf(value) & types) !== 0);
}
