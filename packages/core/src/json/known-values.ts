import { freezeJson } from './freeze-json.ts';
import type { JsonValue } from './json-value.ts';

/** A value, deeply frozen, and the text that it was read from. */
export interface KnownValue {
  readonly text: string;
  /** Its length in UTF-8. */
  readonly bytes: number;
  readonly value: JsonValue;
}

/** Values of members that come again and again in the same words. */
export interface KnownValues {
  /** The value of a member whose text begins here. */
  find(name: string, text: string, start: number): KnownValue | undefined;
  /** Whether values of a member are kept. */
  keeps(name: string): boolean;
  /** Keeps a value, which is frozen from then on. */
  add(name: string, text: string, value: JsonValue): void;
}

/** Units by which texts are told apart before they are compared. */
const HEAD = 96;
/** Texts with one head that are compared one by one. */
const MOST_ALIKE = 8;
/** What one text counts for besides its units. */
const ENTRY_COST = 256;

/** Values whose texts begin alike. */
interface Group {
  /** A text of its own: one that is looked up with is a view of a whole body, and would keep that body alive. */
  readonly key: string;
  readonly values: KnownValue[];
}

/**
 * Makes an empty memory.
 *
 * @param names - Members whose values are kept.
 * @param maxLength - UTF-16 units of all texts together; those that were not used for the longest time go first.
 */
export function createKnownValues(names: ReadonlySet<string>, maxLength: number): KnownValues {
  const groups = new Map<string, Group>();
  let length = 0;

  const cost = ({ text }: KnownValue): number => text.length + ENTRY_COST;
  const keyOf = (name: string, text: string, start: number): string =>
    `${name}:${text.slice(start, start + HEAD)}`;
  const use = (group: Group): void => {
    groups.delete(group.key);
    groups.set(group.key, group);
  };

  return {
    keeps: (name) => names.has(name),
    find(name, text, start) {
      if (length === 0 || !names.has(name)) return undefined;
      const group = groups.get(keyOf(name, text, start));
      // Comparing slices is what engines do fastest.
      const found = group?.values.find(
        (known) => text.slice(start, start + known.text.length) === known.text,
      );
      if (group !== undefined && found !== undefined) use(group);
      return found;
    },
    add(name, text, value) {
      if (text.length < HEAD || text.length > maxLength / 4) return;
      // A slice is a view of the text it comes from and keeps it alive; only bytes and back give a text of its own.
      const bytes = new TextEncoder().encode(text);
      const known = {
        text: new TextDecoder().decode(bytes),
        bytes: bytes.byteLength,
        value: freezeJson(value),
      };
      const key = keyOf(name, known.text, 0);
      const group = groups.get(key) ?? { key, values: [] };
      const { values } = group;
      if (values.length >= MOST_ALIKE) length -= values.splice(0, 1).reduce((sum, old) => sum + cost(old), 0);
      values.push(known);
      length += cost(known);
      use(group);
      for (const [oldest, old] of groups) {
        if (length <= maxLength) break;
        groups.delete(oldest);
        length -= old.values.reduce((sum, each) => sum + cost(each), 0);
      }
    },
  };
}
