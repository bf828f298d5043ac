import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';
import type { NameMap } from '../naming/name-map.ts';
import { createShapeMatcher } from './shape-matcher.ts';

/**
 * Turns a value as the model wrote it into the value that the original schema means. Never changes its argument, and
 * gives the argument itself back when there is nothing to do.
 */
export type Restore = (value: JsonValue) => JsonValue;

/** What to do with the members of an object. */
export interface MemberRestore {
  /** `null` stands for an absent member. */
  readonly absentAsNull?: boolean;
  readonly restore?: Restore;
}

/** Restores the members of an object; without any work to do there is no function. */
export function restoreObject(members: ReadonlyMap<string, MemberRestore>): Restore | undefined {
  if (members.size === 0) return undefined;
  return (value) => {
    if (!isJsonObject(value)) return value;
    const result: Record<string, JsonValue> = {};
    let changed = false;
    for (const [name, member] of Object.entries(value)) {
      const plan = members.get(name);
      if (plan?.absentAsNull === true && member === null) {
        changed = true;
        continue;
      }
      const restored = plan?.restore === undefined ? member : plan.restore(member);
      changed ||= restored !== member;
      setMember(result, name, restored);
    }
    return changed ? result : value;
  };
}

/** Restores each item of an array. */
export function restoreItems(restore: Restore | undefined): Restore | undefined {
  return restore && ((value) => (isJsonArray(value) ? restoreEach(value, restore) : value));
}

function restoreEach(items: JsonArray, restore: Restore): JsonArray {
  const restored = items.map(restore);
  return restored.some((item, index) => item !== items[index]) ? restored : items;
}

/** Restores a value by the first branch of a union whose shape it has. `definitions` is asked when it is first needed. */
export function restoreUnion(
  branches: readonly { readonly schema: JsonObject; readonly restore?: Restore }[],
  definitions: () => JsonObject,
): Restore | undefined {
  if (branches.every(({ restore }) => restore === undefined)) return undefined;
  return (value) => {
    const matches = createShapeMatcher(definitions());
    const chosen = branches.find(({ schema }) => matches(value, schema));
    return chosen?.restore === undefined ? value : chosen.restore(value);
  };
}

/** Gives the members of all objects their own names back. */
export function restoreNames(names: NameMap): Restore {
  const restore: Restore = (value) => {
    if (isJsonArray(value)) return restoreEach(value, restore);
    if (!isJsonObject(value)) return value;
    const result: Record<string, JsonValue> = {};
    let changed = false;
    for (const [wireName, member] of Object.entries(value)) {
      const known = names.fromWire(wireName) ?? wireName;
      // Both names at once: the contract shall see that there is one too many.
      const own = known !== wireName && Object.hasOwn(value, known) ? wireName : known;
      const restored = restore(member);
      changed ||= own !== wireName || restored !== member;
      setMember(result, own, restored);
    }
    return changed ? result : value;
  };
  return restore;
}

/** Takes the arguments out of the one member that a root union was put under; what has another shape stays. */
export function unwrapMember(name: string): Restore {
  return (value) => {
    if (!isJsonObject(value) || Object.keys(value).length !== 1) return value;
    const member = memberOf(value, name);
    return member === undefined ? value : member;
  };
}

/** One after the other. */
export function chain(steps: readonly (Restore | undefined)[]): Restore {
  return (value) => steps.reduce((result, step) => (step === undefined ? result : step(result)), value);
}
