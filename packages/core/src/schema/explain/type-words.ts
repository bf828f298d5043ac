import type { JsonValue } from '../../json/json-value.ts';
import { numberTypes, typeBit, typeOf } from '../check/type-set.ts';

const words: readonly (readonly [number, string])[] = [
  [typeBit.string, 'a string'],
  [numberTypes, 'a number'],
  [typeBit.integer, 'an integer'],
  [typeBit.boolean, 'true or false'],
  [typeBit.object, 'an object'],
  [typeBit.array, 'an array'],
  [typeBit.null, 'null'],
];

/** The types in a set, in words: `a string or null`. */
export function typeWords(types: number): string {
  const found: string[] = [];
  let left = types;
  for (const [bits, word] of words) {
    if ((left & bits) !== bits) continue;
    found.push(word);
    left &= ~bits;
  }
  return found.length === 0 ? 'a value of no type' : found.join(' or ');
}

/** The kind of a value in words. */
export function kindWord(value: JsonValue): string {
  if (typeof value === 'boolean') return 'a boolean';
  const type = typeOf(value);
  return (type & numberTypes) === 0 ? typeWords(type) : 'a number';
}
