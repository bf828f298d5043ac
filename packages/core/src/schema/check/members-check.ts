import { entriesMember, isJsonObject, member, namesMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { type Part, passes } from './part.ts';
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
  return plain && !builder.careful ? declaredMembers(members) : anyMembers(members);
}

/** The common case: nothing but declared names, and the rest either passes or is refused. */
function declaredMembers(members: Members): Check {
  const { needed, others } = members;
  const closed = members.additional !== undefined;
  // In a closed object a name that is only required is refused, like every other undeclared one.
  const parts = members.parts.filter(({ name }) => !closed || members.declared.has(name));
  const byName = new Map(parts.map((part) => [part.name, part]));
  const price = 1 + (parts.length >> 2);
  return (value, run) => {
    if (!isJsonObject(value)) return others;
    // What is known costs as much as the schema says; what is not is paid for where it is met.
    spend(run, price);
    let found = 0;
    let next = 0;
    for (const name in value) {
      const item = value[name];
      if (item === undefined) continue;
      // Members mostly come in the order of the schema; then no look-up is needed.
      let part = parts[next];
      if (part !== undefined && part.name === name) {
        next += 1;
      } else {
        part = byName.get(name);
        if (part === undefined) {
          if (closed) return false;
          spend(run, 1);
          continue;
        }
        next = part.position;
      }
      if (!passes(part, item, run)) return false;
      found += part.weight;
    }
    return found === needed;
  };
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
