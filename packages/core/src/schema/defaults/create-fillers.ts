import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { defineMember } from '../../json/own-member.ts';
import { prefixOf, restOf } from '../check/array-check.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import { descend, spend } from '../check/run.ts';
import { entriesMember, isJsonArray, listMember, member } from '../member.ts';
import { targetAt } from '../reference/schema-index.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import { addFilled, allFillers, type Filler, type Filling } from './filler.ts';

/**
 * Looks up what to put in where a member is absent. Undefined where no `default` applies; otherwise a function that
 * gives a fresh value each time, taken off the account of the pass, or undefined where the default is unusable.
 */
export type FreshDefault = (
  target: SchemaTarget,
) => ((filling: Filling) => JsonValue | undefined) | undefined;

/**
 * Makes the fillers of a schema. They go through `properties`, `patternProperties`, `additionalProperties`, items,
 * `$ref` and `allOf`: wherever a subschema applies without a choice. Never into `anyOf`, `oneOf`, `not` or `if`.
 */
export function createFillers(
  builder: CheckBuilder,
  freshDefault: FreshDefault,
): (target: SchemaTarget) => Filler | undefined {
  const made = new Map<SchemaNode, Filler | undefined>();
  const open = new Set<SchemaNode>();

  const fillerOf = (target: SchemaTarget): Filler | undefined => {
    if (typeof target === 'boolean') return undefined;
    if (made.has(target)) return made.get(target);
    // A recursive schema: looked up when a value gets there. It may turn out to have nothing to fill.
    if (open.has(target)) return (value, pointer, filling) => made.get(target)?.(value, pointer, filling);
    open.add(target);
    const filler = make(target);
    open.delete(target);
    made.set(target, filler);
    return filler;
  };
  const below = (json: JsonValue): Filler | undefined => fillerOf(targetAt(builder.index, json));

  const make = (node: SchemaNode): Filler | undefined => {
    const { json, resource } = node;
    const reference = builder.references.static.get(node);
    const referred = reference === undefined ? undefined : fillerOf(reference);
    if (reference !== undefined && resource.dialect === 'draft-07') return referred;
    return allFillers([
      referred,
      ...listMember(json, 'allOf').map(below),
      memberFiller(node),
      otherMemberFiller(node),
      itemFiller(node),
    ]);
  };

  const memberFiller = ({ json }: SchemaNode): Filler | undefined => {
    const entries = entriesMember(json, 'properties').flatMap(([name, property]) => {
      const fresh = freshDefault(targetAt(builder.index, property));
      const filler = below(property);
      return fresh === undefined && filler === undefined
        ? []
        : [{ name, step: appendPointer('', name), fresh, filler }];
    });
    if (entries.length === 0) return undefined;
    return (value, pointer, filling) => {
      if (!isJsonObject(value)) return;
      spend(filling.run, entries.length);
      for (const { name, step, fresh, filler } of entries) {
        // Asked first whether any object of the chain has it: a member that is absent mostly is so everywhere.
        const present = name in value && Object.hasOwn(value, name) ? value[name] : undefined;
        if (present !== undefined) {
          if (filler !== undefined) enter(filler)(present, pointer + step, filling);
        } else if (fresh !== undefined) {
          const item = fresh(filling);
          if (item === undefined) continue;
          put(value, name, item);
          addFilled(filling, pointer + step);
        }
      }
    };
  };

  const otherMemberFiller = ({ json }: SchemaNode): Filler | undefined => {
    const declared = new Set(entriesMember(json, 'properties').map(([name]) => name));
    const additional = below(member(json, 'additionalProperties') ?? true);
    const patterns = entriesMember(json, 'patternProperties').flatMap(([source, property]) => {
      const pattern = builder.patterns.get(source);
      return pattern === undefined ? [] : [{ pattern, filler: below(property) }];
    });
    if (additional === undefined && patterns.every(({ filler }) => filler === undefined)) return undefined;
    return (value, pointer, filling) => {
      if (!isJsonObject(value)) return;
      for (const [name, item] of Object.entries(value)) {
        spend(filling.run, 1 + patterns.length);
        const at = appendPointer(pointer, name);
        const matching = patterns.filter(({ pattern }) => pattern.test(name));
        for (const { filler } of matching) if (filler !== undefined) enter(filler)(item, at, filling);
        const known = declared.has(name) || matching.length > 0;
        if (!known && additional !== undefined) enter(additional)(item, at, filling);
      }
    };
  };

  const itemFiller = ({ json, resource }: SchemaNode): Filler | undefined => {
    const prefix = prefixOf(json, resource.dialect).map(below);
    const rest = below(restOf(json, resource.dialect) ?? true);
    if (rest === undefined && prefix.every((filler) => filler === undefined)) return undefined;
    return (value, pointer, filling) => {
      if (!isJsonArray(value)) return;
      spend(filling.run, value.length);
      for (const [index, item] of value.entries()) {
        const filler = index < prefix.length ? prefix[index] : rest;
        if (filler !== undefined) enter(filler)(item, appendPointer(pointer, index), filling);
      }
    };
  };

  return fillerOf;
}

/** A filler one level deeper in the value, which is as deep as the walk goes. */
function enter(filler: Filler): Filler {
  return (value, pointer, filling) => {
    descend(filling.run);
    filler(value, pointer, filling);
    filling.run.depth -= 1;
  };
}

/**
 * Adds a member, as an own one even when it is called `__proto__`. The caller of the pass owns the object. A name that
 * no prototype knows can be assigned, which costs a fraction of a definition.
 */
function put(target: JsonObject, name: string, value: JsonValue): void {
  if (name in target) defineMember(target, name, value);
  else (target as Record<string, JsonValue>)[name] = value;
}
