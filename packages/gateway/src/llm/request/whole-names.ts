/** A tool as a list of OpenAI Responses names it. */
export interface NamedTool {
  /** The name by which rules know it. */
  readonly whole: string;
  /** The name in its list. */
  readonly name: string;
  /** Empty for a tool in none. */
  readonly namespace: string;
  readonly isFunction: boolean;
  /** Where its name stands in the request. */
  readonly pointer: string;
}

/** The whole names of a request whose tools stand in namespaces. */
export interface WholeNames {
  /** The namespace of each tool by its whole name; empty for a tool in none. */
  readonly owners: ReadonlyMap<string, string>;
  /** The whole names of the functions in namespaces, by the name that each has there. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** Where the name of a tool stands whose whole name another one has. */
  readonly clash: string | undefined;
}

/** Those of a request without namespaces. */
export const NO_WHOLE_NAMES: WholeNames = Object.freeze({
  owners: new Map<string, string>(),
  byName: new Map<string, readonly string[]>(),
  clash: undefined,
});

/** Adds tools to those that are known. The same tool may come again, as one does that a conversation loads twice. */
export function addWholeNames(known: WholeNames, tools: readonly NamedTool[]): WholeNames {
  const owners = new Map(known.owners);
  const byName = new Map<string, string[]>();
  for (const [name, wholes] of known.byName) byName.set(name, [...wholes]);
  let { clash } = known;
  for (const { isFunction, name, namespace, pointer, whole } of tools) {
    const owner = owners.get(whole);
    if (owner === undefined) {
      owners.set(whole, namespace);
      if (!isFunction || namespace === '') continue;
      const wholes = byName.get(name);
      if (wholes === undefined) byName.set(name, [whole]);
      else wholes.push(whole);
    } else if (owner !== namespace) clash ??= pointer;
  }
  return { owners, byName, clash };
}
