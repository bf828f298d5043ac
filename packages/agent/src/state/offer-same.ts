import type { Digest, GateTool, ToolDefinition } from '@toolgate/core';
import type { Advertised } from '../loop/loop-rules.ts';

/** What a run offers. */
export interface Offered {
  readonly definitions: readonly ToolDefinition[];
  /** What was, or is now, fixed for the whole run. */
  readonly advertised: Advertised;
  /** Whether a call of this name may go to the gate at all. A name that nobody knows may: the gate refuses it. */
  isOpen(name: string): boolean;
  /** Whether the tool was offered when the run began and has another contract now. */
  isChanged(name: string): boolean;
}

/**
 * Keeps the advertised list fixed over a resume: a tool that was not offered when the run began, or whose contract
 * changed since, is neither offered nor executed now.
 *
 * @param before - Digests by name from the start of the run; `null` at the start itself.
 */
export function offerSame(
  definitions: readonly ToolDefinition[],
  tools: readonly GateTool[],
  before: Advertised | null,
): Offered {
  if (before === null) {
    const offered = new Set(definitions.map(({ name }) => name));
    const digests = tools.flatMap(({ contract }): [string, Digest][] => {
      const { name } = contract.definition;
      return offered.has(name) ? [[name, contract.digest]] : [];
    });
    return {
      definitions,
      advertised: Object.fromEntries(digests),
      isOpen: () => true,
      isChanged: () => false,
    };
  }
  const digests = new Map(tools.map(({ contract }) => [contract.definition.name, contract.digest]));
  const was = new Map(Object.entries(before));
  const isSame = (name: string): boolean => was.has(name) && was.get(name) === digests.get(name);
  return {
    definitions: definitions.filter(({ name }) => isSame(name)),
    advertised: before,
    isOpen: (name) => !digests.has(name) || isSame(name),
    isChanged: (name) => was.has(name) && digests.has(name) && !isSame(name),
  };
}
