import { entriesMember, member, namesMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { requiredCheck } from './required-check.ts';
import { type Check, type ObjectCheck, spend } from './run.ts';
import { type Step, take } from './step.ts';

/** What is known about one member name. */
interface Entry {
  readonly name: string;
  readonly step: Step;
  /** 1 where the member is required. */
  readonly weight: number;
  /** In `properties`; a name that is only required still counts as additional. */
  readonly declared: boolean;
  /** Where the entry stands, counted from 1. */
  readonly position: number;
}

interface PatternEntry {
  readonly pattern: { test(text: string): boolean };
  readonly check: Check;
}

/**
 * The keywords about an object's members as one pass over what is there: `properties`, `required` by counting,
 * `patternProperties`, `additionalProperties`, `propertyNames`.
 */
export function membersCheck(node: SchemaNode, builder: CheckBuilder): ObjectCheck | undefined {
  const { json } = node;
  const properties = entriesMember(json, 'properties');
  const patterned = entriesMember(json, 'patternProperties');
  const additional = member(json, 'additionalProperties');
  const names = member(json, 'propertyNames');
  const open = additional === undefined || additional === true;
  if (properties.length === 0 && patterned.length === 0 && open && names === undefined)
    return requiredCheck(json);

  const required = new Set(namesMember(json, 'required'));
  const declared = new Map(properties);
  const entries = [...new Set([...declared.keys(), ...required])].map((name, index): Entry => {
    const below = declared.get(name) ?? true;
    return {
      name,
      step: builder.step(below, node),
      weight: required.has(name) ? 1 : 0,
      declared: declared.has(name),
      position: index + 1,
    };
  });
  const patterns = patterned.flatMap(([source, below]): readonly PatternEntry[] => {
    const pattern = builder.patterns.get(source);
    return pattern === undefined ? [] : [{ pattern, check: builder.below(below, node) }];
  });
  const any = anyMembers(entries, required.size, {
    patterns,
    names: names === undefined ? undefined : builder.below(names, node),
    additional: open ? undefined : builder.below(additional, node),
  });
  const plain = patterns.length === 0 && names === undefined && (open || additional === false);
  return plain ? declaredMembers(entries, required.size, !open, any) : any;
}

/**
 * The common case: nothing but declared names, and the rest either passes or is refused.
 *
 * @param otherwise - Does the same with a closer look at each name.
 */
function declaredMembers(
  entries: readonly Entry[],
  needed: number,
  closed: boolean,
  otherwise: ObjectCheck,
): ObjectCheck {
  // In a closed object a name that is only required is refused, like every other undeclared one.
  const usable = entries.filter(({ declared }) => declared || !closed);
  const byName = new Map(usable.map((entry) => [entry.name, entry]));
  return (value, run) => {
    if (run.polluted) return otherwise(value, run);
    let found = 0;
    let seen = 0;
    let next = 0;
    for (const name in value) {
      const part = value[name];
      if (part === undefined) continue;
      seen += 1;
      // Members mostly come in the order of the schema; then no look-up is needed.
      let entry = usable[next];
      if (entry !== undefined && entry.name === name) {
        next += 1;
      } else {
        entry = byName.get(name);
        if (entry === undefined) {
          if (closed) return false;
          continue;
        }
        next = entry.position;
      }
      if (!take(entry.step, part, run)) return false;
      found += entry.weight;
    }
    spend(run, seen);
    return found === needed;
  };
}

interface OtherMembers {
  readonly patterns: readonly PatternEntry[];
  readonly names: Check | undefined;
  readonly additional: Check | undefined;
}

function anyMembers(entries: readonly Entry[], needed: number, others: OtherMembers): ObjectCheck {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const { patterns, names, additional } = others;
  const price = 1 + patterns.length;
  return (value, run) => {
    let found = 0;
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      const part = value[name];
      if (part === undefined) continue;
      spend(run, price + (name.length >> 8));
      if (names !== undefined && !names(name, run)) return false;
      const entry = byName.get(name);
      let known = false;
      if (entry !== undefined) {
        if (!take(entry.step, part, run)) return false;
        found += entry.weight;
        known = entry.declared;
      }
      for (const { pattern, check } of patterns) {
        if (!pattern.test(name)) continue;
        known = true;
        if (!check(part, run)) return false;
      }
      if (!known && additional !== undefined && !additional(part, run)) return false;
    }
    return found === needed;
  };
}
