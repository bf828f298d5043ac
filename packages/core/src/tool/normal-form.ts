import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';
import type { InputValidator } from './input-validator.ts';
import { runValidator } from './run-validator.ts';

/** Parts of an input that are looked at beyond one for each character that was written. */
const MORE_PARTS = 10_000;
/** Characters that members are looked at again with, one by one. */
const MAX_WORK = 8_388_608;

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
 * @param before - The arguments as they were read.
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
  if (made === before) return undefined;
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

type Member = readonly [name: string, value: unknown];

/** Members that are made of nothing but what JSON has, and are not as they were written. */
function changedMembers(before: JsonObject, made: unknown, maxParts: number): readonly Member[] {
  if (typeof made !== 'object' || made === null || Array.isArray(made)) return [];
  const budget = { parts: maxParts };
  return Object.entries(Object.getOwnPropertyDescriptors(made)).flatMap(([name, { enumerable, value }]) => {
    const member: unknown = value;
    if (enumerable !== true || member === undefined || !isPlain(member, budget)) return [];
    const written = Object.hasOwn(before, name) ? before[name] : undefined;
    return written !== undefined && deepEqual(written, member as JsonValue) ? [] : [[name, member] as const];
  });
}

/** The text of arguments with other values for some members, where these are their own normal form. */
function settled(
  before: JsonObject,
  members: readonly Member[],
  validator: InputValidator,
  { read, check }: SecondLook,
): string | undefined {
  try {
    const text = writeJson({ ...before, ...Object.fromEntries(members) });
    const normal = read(text);
    if (deepEqual(before, normal) || !check(normal)) return undefined;
    const again = runValidator(validator, read(text));
    if (again.kind !== 'valid' || typeof again.value !== 'object' || again.value === null) return undefined;
    const left = again.value as Readonly<Record<string, unknown>>;
    const isLeft = ([name]: Member): boolean =>
      Object.hasOwn(normal, name) && deepEqual(normal[name] as JsonValue, left[name] as JsonValue);
    return members.every(isLeft) ? text : undefined;
  } catch {
    // What has no JSON form, or is too large.
    return undefined;
  }
}

/** Whether a value is made of nothing but what JSON has. Reads no member that is computed. */
function isPlain(value: unknown, budget: { parts: number }): boolean {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    budget.parts -= 1;
    if (typeof next === 'function' || typeof next === 'symbol' || typeof next === 'bigint') return false;
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(Object.getOwnPropertyDescriptors(next));
    if (budget.parts < members.length || !hasPlainPrototype(next)) return false;
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
