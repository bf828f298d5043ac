import { isJsonObject } from '../../json/is-json-object.ts';
import { entriesMember, member, namesMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import type { Part } from './part.ts';
import { memberLoop, passes } from './part-loops.ts';
import { requiredCheck } from './required-check.ts';
import { type Check, spend } from './run.ts';

/** What the keywords about members say, ready to be walked. */
interface Members {
  readonly parts: readonly Part[];
  /** Names in `properties`; a name that is only required still counts as additional. */
  readonly declared: ReadonlySet<string>;
  /** Number of different required names. */
  readonly needed: number;
  readonly patterns: readonly PatternPart[];
  readonly names: Check | undefined;
  /** For members that nothing above knows; undefined where they pass. */
  readonly additional: Check | undefined;
  /** The answer for values that are no objects. */
  readonly others: boolean;
}

interface PatternPart {
  readonly pattern: { test(text: string): boolean };
  readonly check: Check;
}

/**
 * The keywords about an object's members as one pass over what is there: `properties`, `required` by counting,
 * `patternProperties`, `additionalProperties`, `propertyNames`.
 *
 * @param others - The answer for values that are no objects.
 */
export function membersCheck(node: SchemaNode, builder: CheckBuilder, others: boolean): Check | undefined {
  const { json } = node;
  const patterned = entriesMember(json, 'patternProperties');
  const additional = member(json, 'additionalProperties');
  const names = member(json, 'propertyNames');
  const open = additional === undefined || additional === true;
  const declared = new Map(entriesMember(json, 'properties'));
  if (declared.size + patterned.length === 0 && open && names === undefined)
    return requiredCheck(json, others);

  const required = new Set(namesMember(json, 'required'));
  const parts = [...new Set([...declared.keys(), ...required])].map((name, index) =>
    builder.part(declared.get(name) ?? true, node, {
      name,
      required: required.has(name),
      position: index + 1,
    }),
  );
  const members: Members = {
    parts,
    declared: new Set(declared.keys()),
    needed: required.size,
    patterns: patterned.flatMap(([source, below]): readonly PatternPart[] => {
      const pattern = builder.patterns.get(source);
      return pattern === undefined ? [] : [{ pattern, check: builder.below(below, node) }];
    }),
    names: names === undefined ? undefined : builder.below(names, node),
    additional: open ? undefined : builder.below(additional, node),
    others,
  };
  const plain = patterned.length === 0 && names === undefined && (open || additional === false);
  if (!plain || builder.careful) return anyMembers(members);
  const closed = !open;
  // In a closed object a name that is only required is refused, like every other undeclared one.
  const usable = closed ? parts.filter(({ name }) => declared.has(name)) : parts;
  return memberLoop({ parts: usable, needed: required.size, closed, others });
}

/** Every other case, and every case where names that are only inherited may show up. */
function anyMembers(members: Members): Check {
  const { declared, needed, patterns, names, additional, others } = members;
  const byName = new Map(members.parts.map((part) => [part.name, part]));
  const price = 1 + 4 * patterns.length;
  return (value, run) => {
    if (!isJsonObject(value)) return others;
    let found = 0;
    for (const name in value) {
      const item = Object.hasOwn(value, name) ? value[name] : undefined;
      if (item === undefined) continue;
      spend(run, price + (name.length >> 8));
      if (names !== undefined && !names(name, run)) return false;
      const part = byName.get(name);
      if (part !== undefined) {
        if (!passes(part, item, run)) return false;
        found += part.weight;
      }
      let known = declared.has(name);
      for (const { pattern, check } of patterns) {
        if (!pattern.test(name)) continue;
        known = true;
        if (!check(item, run)) return false;
      }
      if (!known && additional !== undefined && !additional(item, run)) return false;
    }
    return found === needed;
  };
}
