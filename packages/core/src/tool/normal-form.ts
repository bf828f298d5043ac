import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { writeJson } from '../json/write-json.ts';
import type { WriteJsonOptions } from '../json/write-rules.ts';
import { deepEqual } from '../schema/check/deep-equal.ts';
import { type ChangedPart, changedParts, withParts } from './changed-parts.ts';
import { byMember, holding } from './holding-parts.ts';
import type { InputValidator } from './input-validator.ts';
import { runValidator } from './run-validator.ts';
import { lasting, tidied } from './tidy.ts';

/** Parts of an input that are looked at beyond one for each character that was written. */
const MORE_PARTS = 10_000;
/** Characters that parts are looked at again with. */
const MAX_WORK = 4_194_304;

/** How often the schema can look at arguments in the time of one whole second look. */
const CHECKS = 4;

/** Reading it has the bounds of the contract. */
const UNBOUNDED: WriteJsonOptions = { maxBytes: 'none', maxDepth: 'none' };

/** How a contract looks at arguments a second time. */
export interface SecondLook {
  /** Reads text as the first one was read; throws when it breaks a bound. */
  readonly read: (text: string) => JsonObject;
  readonly check: (value: JsonObject) => boolean;
}

/** Arguments that cannot be looked at closely enough: nobody could say what a policy would decide on. */
export const TOO_COSTLY: unique symbol = Symbol('too-costly');

/**
 * The text of arguments in the normal form that a validator gave them: without the spaces around a name, in lower case.
 * Policies and reviewers have to see that, and not another spelling of it that they do not know.
 *
 * The value of a part is its normal form when the contract would admit it in the place of what was written, and the
 * validator leaves it as it is. What else a transform makes (a date, a length, another shape) is no argument, and there it
 * is what was written that is decided on. One such part hides no other one, wherever the two stand.
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
    const tidy = tidied(before, made, { parts: length + MORE_PARTS });
    if (typeof tidy !== 'object' || tidy === null || Array.isArray(tidy)) return undefined;
    const parts = changedParts(before, tidy as JsonObject);
    return parts.length === 0 ? undefined : new Search(before, validator, look, length).find(parts);
  } catch {
    // What throws when it is looked at.
    return undefined;
  }
}

type Parts = readonly ChangedPart[];

/** Looks for the parts that are their own normal form. */
class Search {
  readonly #before: JsonObject;
  readonly #validator: InputValidator;
  readonly #look: SecondLook;
  readonly #length: number;
  #work = MAX_WORK;
  /** The text of the arguments with the parts that held so far. */
  #text: string | undefined;

  constructor(before: JsonObject, validator: InputValidator, look: SecondLook, length: number) {
    this.#before = before;
    this.#validator = validator;
    this.#look = look;
    this.#length = length;
  }

  find(parts: Parts): string | undefined | typeof TOO_COSTLY {
    if (this.#lasts(parts)) return this.#text;
    const same = parts.filter(({ sameKind }) => sameKind);
    const admitted = holding(byMember(same), (some) => this.#isAdmitted(some), true);
    const lasting = admitted && holding(byMember(admitted), (some) => this.#lasts(some), true);
    if (lasting === undefined) return TOO_COSTLY;
    // A value of another kind is no other spelling: a list of texts that become numbers is not looked at one by one.
    const other = parts.filter(({ sameKind }) => !sameKind);
    holding(byMember(other), (some) => this.#lasts([...lasting, ...some]), false);
    return this.#text;
  }

  /** Whether the schema admits arguments with other values for some parts; `undefined` when that would be too much work. */
  #isAdmitted(parts: Parts): boolean | undefined {
    if (this.#work < 0) return undefined;
    this.#work -= this.#length / CHECKS;
    return this.#look.check(withParts(this.#before, parts));
  }

  /** The same of the validator, too, and whether it leaves any of them as they are. */
  #lasts(parts: Parts): boolean | undefined {
    if (this.#work < 0) return undefined;
    const settled = this.#settle(parts);
    if (settled === undefined || (settled.text === undefined && this.#text !== undefined)) return false;
    this.#text = settled.text;
    return true;
  }

  /** The text of arguments with other values for some parts, as far as these last; none where nothing of them does. */
  #settle(parts: Parts): { readonly text: string | undefined } | undefined {
    try {
      const left = this.#leftOf(withParts(this.#before, parts));
      if (left === undefined) return undefined;
      if (deepEqual(this.#before, left.value)) return { text: undefined };
      if (left.whole) return left;
      // What did not last is as it was written again: the rest has to hold beside it.
      const second = this.#leftOf(left.value);
      return second?.whole === true ? second : undefined;
    } catch {
      // What has no JSON form, or is too large.
      return undefined;
    }
  }

  /** What of arguments the validator leaves as it is; `undefined` when it, or the schema, does not admit them. */
  #leftOf(
    value: JsonObject,
  ): { readonly value: JsonObject; readonly text: string; readonly whole: boolean } | undefined {
    const { read, check } = this.#look;
    const text = writeJson(value, UNBOUNDED);
    this.#work -= text.length;
    const normal = read(text);
    if (!check(normal)) return undefined;
    const again = runValidator(this.#validator, read(text));
    if (again.kind !== 'valid') return undefined;
    const tidy = tidied(normal, again.value, { parts: text.length + MORE_PARTS });
    const left = lasting(this.#before, normal, tidy) as JsonObject;
    return { value: left, text, whole: deepEqual(normal, left) };
  }
}
