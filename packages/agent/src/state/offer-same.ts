import type { Digest, GateTool, ToolDefinition } from '@toolgate/core';

/** What a run offers, and the digests that say so. */
export interface Offered {
  readonly definitions: readonly ToolDefinition[];
  readonly digests: Readonly<Record<string, Digest>>;
}

/**
 * Keeps the advertised list fixed over a resume: a tool that was not offered when the run began, or whose contract
 * changed since, is not offered now.
 *
 * @param before - Digests by name from the start of the run; empty at the start itself.
 */
export function offerSame(
  definitions: readonly ToolDefinition[],
  tools: readonly GateTool[],
  before: Readonly<Record<string, Digest>>,
): Offered {
  const digests = new Map(tools.map(({ contract }) => [contract.definition.name, contract.digest]));
  const first = Object.keys(before).length === 0;
  const kept = definitions.filter(
    ({ name }) => first || (Object.hasOwn(before, name) && before[name] === digests.get(name)),
  );
  return {
    definitions: kept,
    digests: first
      ? Object.fromEntries(kept.map(({ name }) => [name, digests.get(name) ?? 'sha256:']))
      : before,
  };
}
