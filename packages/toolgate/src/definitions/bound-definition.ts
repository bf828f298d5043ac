import {
  type Contract,
  defineContract,
  type ExecutionClass,
  isToolName,
  type ToolDefinition,
} from '@toolgate/core';
import { createNameMap, NAME_RULES } from '@toolgate/model';
import type { ContractCache, Taken } from './contract-cache.ts';
import { type DefinitionFault, toDefinitionFault } from './definition-fault.ts';
import type { DefinitionForm, RawDefinition } from './raw-definition.ts';

/** One tool that a command works with. */
export interface BoundDefinition {
  readonly form: DefinitionForm | 'toolgate';
  /** As written. */
  readonly name: string;
  /** What stands for a name that no contract can have; calls are still made with `name`. */
  readonly alias?: string;
  /** `unclassified` for every foreign definition: what it says about itself is not believed. */
  readonly class: ExecutionClass;
  readonly privileged: boolean;
  /** Absent when the definition cannot be used, and for a hosted tool. */
  readonly contract?: Contract;
  /** Why there is no contract. Absent for a hosted tool. */
  readonly fault?: DefinitionFault;
}

/** How definitions are taken in. */
export interface BindOptions {
  /** Refuse schema forms of other drafts instead of noting them. Default false. */
  readonly strict?: boolean;
  /** Contracts that were made before with the same options. Default: each is made anew. */
  readonly cache?: ContractCache;
}

/**
 * Makes the contract of each definition, as of somebody foreign. A name that no contract can have, such as one with
 * dots, gets an alias that depends on that name only; no two names share one.
 */
export function bindDefinitions(
  list: readonly RawDefinition[],
  options: BindOptions = {},
): readonly BoundDefinition[] {
  // The names that contracts can have are those that OpenAI and Anthropic take.
  const names = createNameMap(
    list.flatMap(({ name }) => name ?? []),
    NAME_RULES['openai-responses'],
  );
  return list.map(({ form, name, definition }, index): BoundDefinition => {
    const own = { form, name: name ?? `#${index + 1}`, class: 'unclassified', privileged: false } as const;
    if (form === 'hosted') return own;
    if (form === 'unknown') return { ...own, fault: UNKNOWN };
    if (name === undefined || isToolName(name)) return { ...own, ...take(definition, options) };
    const alias = names.toWire(name);
    return { ...own, alias, ...take({ ...definition, name: alias }, options) };
  });
}

const UNKNOWN: DefinitionFault = Object.freeze({
  code: 'cli/definition-unknown',
  message: 'This entry is no tool definition of MCP, OpenAI or Anthropic.',
});

function take(definition: RawDefinition['definition'], { cache, strict = false }: BindOptions): Taken {
  const make = (): Taken => {
    try {
      // Foreign JSON: the contract checks every member, whatever its type is here.
      const claimed = definition as unknown as ToolDefinition;
      return { contract: defineContract(claimed, { trust: 'foreign', strict }) };
    } catch (error) {
      return { fault: toDefinitionFault(error) };
    }
  };
  return cache === undefined ? make() : cache.get(JSON.stringify(definition), make);
}
