import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { WriteJsonOptions } from '../json/write-rules.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';
import type { InputValidator } from './input-validator.ts';
import { runValidator } from './run-validator.ts';
import { lasting, tidied } from './tidy.ts';

/** Parts of an input that are looked at beyond one for each character that was written. */
const MORE_PARTS = 10_000;
/** Characters that members are looked at again with, one by one. */
const MAX_WORK = 8_388_608;

/** Reading it has the bounds of the contract. */
const UNBOUNDED: WriteJsonOptions = { maxBytes: 'none', maxDepth: 'none' };

/** How a contract looks at arguments a second time. */
export interface SecondLook {
  /** Reads text as the first one was read; throws when it breaks a bound. */
  readonly read: (text: string) => JsonObject;
  readonly check: (value: JsonObject) => boolean;
  /** Names of members that the schema declares. */
  readonly declared: ReadonlySet<string>;
}

/** Arguments that cannot be looked at closely enough: nobody could say what a policy would decide on. */
export const TOO_COSTLY: unique symbol = Symbol('too-costly');

/**
 * The text of arguments in the normal form that a validator gave them: without the spaces around a name, in lower case.
 * Policies and reviewers have to see that, and not another spelling of it that they do not know.
 *
 * The value of a member is its normal form when the contract would admit it in the place of what was written, and the
 * validator leaves it as it is. What else a transform makes (a date, a length, another shape) is no argument, and there it
 * is what was written that is decided on. One such member hides no other one.
 *
 * @param before - The arguments as they were read, in a copy that the validator never had.
 * @param length - Characters that they were written in.
 * @returns `undefined` when they are in it already, or have none.
 */
export function normalForm(
  before: JsonObject,
  made: unknown,
  validator: InputValidator,
  look: SecondLook,
  length: number,
): string | undefined | typeof TOO_COSTLY {
  try {
    if (deepEqual(before, made as JsonValue)) return undefined;
    const changed = changedMembers(before, made, length + MORE_PARTS);
    const settle = (members: readonly Member[]): string | undefined =>
      settled(before, members, validator, look);
    if (changed.length === 0) return undefined;
    const whole = settle(changed);
    if (whole !== undefined || changed.length === 1) return whole;
    const single = changed.filter(([name]) => look.declared.has(name));
    if (single.length * length > MAX_WORK) return TOO_COSTLY;
    const stable = single.filter((member) => settle([member]) !== undefined);
    return stable.length === 0 ? undefined : settle(stable);
  } catch {
    // What throws when it is looked at.
    return undefined;
  }
}

type Member = readonly [name: string, value: JsonValue];

/** Members that are not as they were written, as far as they are of JSON. */
function changedMembers(before: JsonObject, made: unknown, maxParts: number): readonly Member[] {
  const tidy = tidied(before, made, { parts: maxParts });
  if (typeof tidy !== 'object' || tidy === null || Array.isArray(tidy)) return [];
  return Object.entries(tidy).filter(
    ([name, value]) => !Object.hasOwn(before, name) || !deepEqual(before[name] as JsonValue, value),
  );
}

/** The text of arguments with other values for some members, as far as these are their own normal form. */
function settled(
  before: JsonObject,
  members: readonly Member[],
  validator: InputValidator,
  look: SecondLook,
): string | undefined {
  try {
    const first = { ...before, ...Object.fromEntries(members) };
    const left = leftOf(before, first, validator, look);
    if (left === undefined || deepEqual(before, left.value)) return undefined;
    if (left.whole) return left.text;
    // What did not last is as it was written again: the rest has to hold beside it.
    const second = leftOf(before, left.value, validator, look);
    return second?.whole === true ? second.text : undefined;
  } catch {
    // What has no JSON form, or is too large.
    return undefined;
  }
}

/** What of arguments a validator leaves as it is; `undefined` when it, or the schema, does not admit them. */
function leftOf(
  before: JsonObject,
  value: JsonObject,
  validator: InputValidator,
  { read, check }: SecondLook,
): { readonly value: JsonObject; readonly text: string; readonly whole: boolean } | undefined {
  const text = writeJson(value, UNBOUNDED);
  const normal = read(text);
  if (!check(normal)) return undefined;
  const again = runValidator(validator, read(text));
  if (again.kind !== 'valid') return undefined;
  const left = lasting(
    before,
    normal,
    tidied(normal, again.value, { parts: text.length + MORE_PARTS }),
  ) as JsonObject;
  return { value: left, text, whole: deepEqual(normal, left) };
}
