import { isJsonArray } from '../member.ts';
import type { Assertions } from './assertions.ts';
import { every } from './combine.ts';
import type { Check } from './run.ts';
import { anyType, numberTypes, typeBit } from './type-set.ts';

/**
 * Joins the assertions of a node with the checks that apply to any value into one closure. Schemas of a single type,
 * which is nearly all of them, get a closure that asks for this type first and for nothing else.
 */
export function assembleCheck(assertions: Assertions, applicators: readonly Check[]): Check {
  const rest = every([...assertions.values, ...applicators]);
  return (
    every([...typedCheck(assertions, rest === undefined), ...(rest === undefined ? [] : [rest])]) ??
    (() => true)
  );
}

function typedCheck(assertions: Assertions, alone: boolean): readonly Check[] {
  const { types, number, string, array, object } = assertions;
  switch (types) {
    case typeBit.string:
      return [
        string === undefined
          ? (value) => typeof value === 'string'
          : (value, run) => typeof value === 'string' && string(value, run),
      ];
    case typeBit.boolean:
      return [(value) => typeof value === 'boolean'];
    case typeBit.null:
      return [(value) => value === null];
    case typeBit.integer:
      return [
        number === undefined
          ? (value) => Number.isInteger(value)
          : (value) => isInteger(value) && number(value),
      ];
    case numberTypes:
      return [
        number === undefined
          ? (value) => typeof value === 'number'
          : (value) => typeof value === 'number' && number(value),
      ];
    case typeBit.object:
      return [
        object === undefined
          ? (value) => typeof value === 'object' && value !== null && !isJsonArray(value)
          : (value, run) =>
              typeof value === 'object' && value !== null && !isJsonArray(value) && object(value, run),
      ];
    case typeBit.array:
      return [array === undefined ? isJsonArray : (value, run) => isJsonArray(value) && array(value, run)];
    default:
  }
  const bare = number === undefined && string === undefined && array === undefined && object === undefined;
  if (types === anyType && bare && !alone) return [];
  return [mixedCheck(assertions)];
}

function mixedCheck({ types, number, string, array, object }: Assertions): Check {
  const admits = (bit: number): boolean => (types & bit) !== 0;
  const strings = admits(typeBit.string);
  const integers = admits(typeBit.integer);
  const fractions = admits(typeBit.fraction);
  const booleans = admits(typeBit.boolean);
  const nulls = admits(typeBit.null);
  const arrays = admits(typeBit.array);
  const objects = admits(typeBit.object);
  return (value, run) => {
    if (typeof value === 'string') return strings && (string === undefined || string(value, run));
    if (typeof value === 'number') {
      return (fractions || (integers && Number.isInteger(value))) && (number === undefined || number(value));
    }
    if (typeof value === 'boolean') return booleans;
    if (value === null) return nulls;
    if (isJsonArray(value)) return arrays && (array === undefined || array(value, run));
    return typeof value === 'object' && objects && (object === undefined || object(value, run));
  };
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}
