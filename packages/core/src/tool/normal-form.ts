import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';
import type { InputValidator } from './input-validator.ts';
import { runValidator, type ValidatorRun } from './run-validator.ts';

/** Parts of an input that are looked at; what is larger is taken as it was written. */
const MAX_PARTS = 10_000;

/** How a contract looks at arguments a second time. */
export interface SecondLook {
  /** Reads text as the first one was read; throws when it breaks a bound. */
  readonly read: (text: string) => JsonObject;
  readonly check: (value: JsonObject) => boolean;
}

/**
 * The text of what a validator made of arguments, where it only gave them their normal form: without the spaces around a
 * name, in lower case. Policies and reviewers have to see that, and not another spelling of it that they do not know.
 *
 * It is the normal form when the contract would admit it itself, and the validator leaves it as it is. Everything else that
 * a transform makes (a date, a length, another shape) is no arguments, and what was written stays what is decided on.
 *
 * @param before - The arguments as they were read.
 * @returns `undefined` when they are in it already, or have none.
 */
export function normalForm(
  before: JsonObject,
  made: unknown,
  validator: InputValidator,
  { read, check }: SecondLook,
): string | undefined {
  if (made === before) return undefined;
  try {
    if (deepEqual(before, made as JsonValue) || !isPlain(made)) return undefined;
    const text = writeJson(made);
    const normal = read(text);
    if (deepEqual(before, normal) || !check(normal)) return undefined;
    return isValid(runValidator(validator, read(text)), normal) ? text : undefined;
  } catch {
    // What has no JSON form, is too large, or throws when it is looked at.
    return undefined;
  }
}

function isValid(again: ValidatorRun, normal: JsonObject): boolean {
  return again.kind === 'valid' && isPlain(again.value) && deepEqual(normal, again.value as JsonValue);
}

/** Whether a value is made of nothing but what JSON has. Reads no member that is computed. */
function isPlain(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    const next = waiting.pop();
    if (typeof next === 'function' || typeof next === 'symbol' || typeof next === 'bigint') return false;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(Object.getOwnPropertyDescriptors(next));
    if (seen + members.length > MAX_PARTS || !hasPlainPrototype(next)) return false;
    for (const member of members) {
      if (!('value' in member)) return false;
      waiting.push(member.value);
    }
  }
  return true;
}

function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype;
}
