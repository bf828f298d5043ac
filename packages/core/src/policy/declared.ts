import type { Tool, ToolCapabilities } from '../tool/tool.ts';
import { capability } from '../tool/wrapping.ts';
import { PolicyError, type PolicyErrorCode } from './policy-error.ts';

/** A capability as the outermost tool that has it declares it, together with that tool. */
export interface Declared {
  readonly owner: object;
  readonly value: unknown;
}

/**
 * Reads one optional capability through the wrapping chain, exactly once.
 *
 * @returns `undefined` when no tool of the chain has the member; a member that is present and `undefined` is declared.
 * @throws {@link PolicyError} with `code` when reading it throws; `tool/wrapping-invalid` from the chain.
 */
export function readDeclared<Context>(
  tool: Tool<Context>,
  member: keyof ToolCapabilities,
  code: PolicyErrorCode,
): Declared | undefined {
  const owner = capability(tool, (candidate): candidate is Tool<Context> => member in candidate);
  if (owner === undefined) return undefined;
  try {
    return { owner, value: owner[member] };
  } catch (cause) {
    throw new PolicyError(code, `Reading "${member}" of the tool threw; make it a plain value.`, { cause });
  }
}
