import { type AliasRule, compileAliasRule } from './alias-rule.ts';
import { makeAlias } from './make-alias.ts';

/** A reversible map from own names to names that one wire accepts. Two names never share a wire name. */
export interface AliasMap {
  /** The wire name; the name itself where the wire accepts it. A name that is new gets its own wire name now. */
  toWire(name: string): string;
  /** The name behind a wire name, or `undefined` for one that this map never gave out. */
  fromWire(wireName: string): string | undefined;
}

/**
 * Makes the map for one request. Accepted names keep themselves, whatever the others are; an alias depends on its own
 * name only, unless somebody offers that very alias as a name.
 */
export function createAliasMap(names: Iterable<string>, rule: AliasRule): AliasMap {
  const test = compileAliasRule(rule);
  const wireNames = new Map<string, string>();
  const ownNames = new Map<string, string>();

  const assign = (name: string, wireName: string): string => {
    wireNames.set(name, wireName);
    ownNames.set(wireName, name);
    return wireName;
  };
  const toWire = (name: string): string => {
    const known = wireNames.get(name);
    if (known !== undefined) return known;
    if (test.isLegal(name) && !ownNames.has(name)) return assign(name, name);
    let attempt = 0;
    let alias = makeAlias(name, test, attempt);
    while (ownNames.has(alias)) {
      attempt += 1;
      alias = makeAlias(name, test, attempt);
    }
    return assign(name, alias);
  };

  const distinct = [...new Set(names)];
  for (const name of distinct) if (test.isLegal(name)) toWire(name);
  // Sorted, so that the map does not depend on the order in which the others came.
  for (const name of distinct.filter((each) => !test.isLegal(each)).sort()) toWire(name);
  return Object.freeze({ toWire, fromWire: (wireName: string) => ownNames.get(wireName) });
}
