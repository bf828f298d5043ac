import { entriesMember, member, namesMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { requiredCheck } from './required-check.ts';
import { type Check, type ObjectCheck, spend } from './run.ts';

/** What is known about one member name. */
interface Entry {
  readonly name: string;
  /** Undefined where every value will do. */
  readonly check: Check | undefined;
  readonly required: boolean;
  /** In `properties`; a name that is only required still counts as additional. */
  readonly declared: boolean;
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
  const entries: Entry[] = properties.map(([name, below]) => ({
    name,
    check: below === true ? undefined : builder.below(below, node),
    required: required.has(name),
    declared: true,
  }));
  const declared = new Set(properties.map(([name]) => name));
  for (const name of required) {
    if (!declared.has(name)) entries.push({ name, check: undefined, required: true, declared: false });
  }
  const patterns = patterned.flatMap(([source, below]): readonly PatternEntry[] => {
    const pattern = builder.patterns.get(source);
    return pattern === undefined ? [] : [{ pattern, check: builder.below(below, node) }];
  });
  if (patterns.length === 0 && names === undefined && (open || additional === false)) {
    return declaredMembers(entries, required.size, !open);
  }
  return anyMembers(entries, required.size, {
    patterns,
    names: names === undefined ? undefined : builder.below(names, node),
    additional: open ? undefined : builder.below(additional, node),
  });
}

/** The common case: nothing but declared names, and the rest either passes or is refused. */
function declaredMembers(entries: readonly Entry[], needed: number, closed: boolean): ObjectCheck {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return (value, run) => {
    let found = 0;
    let seen = 0;
    let next = 0;
    for (const name in value) {
      if (run.polluted && !Object.hasOwn(value, name)) continue;
      const part = value[name];
      if (part === undefined) continue;
      seen += 1;
      // Members mostly come in the order of the schema; then no look-up is needed.
      let entry = entries[next];
      if (entry !== undefined && entry.name === name) next += 1;
      else entry = byName.get(name);
      if (entry === undefined) {
        if (closed) return false;
        continue;
      }
      if (closed && !entry.declared) return false;
      if (entry.check !== undefined && !entry.check(part, run)) return false;
      if (entry.required) found += 1;
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
      if (run.polluted && !Object.hasOwn(value, name)) continue;
      const part = value[name];
      if (part === undefined) continue;
      spend(run, price + (name.length >> 8));
      if (names !== undefined && !names(name, run)) return false;
      const entry = byName.get(name);
      if (entry?.check !== undefined && !entry.check(part, run)) return false;
      if (entry?.required === true) found += 1;
      let known = entry?.declared === true;
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
