import {
  type Contract,
  defineContract,
  type ExecutionClass,
  isToolName,
  type ToolDefinition,
} from '@toolgate/core';
import { createNameMap, NAME_RULES } from '@toolgate/model';
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
}

/**
 * Makes the contract of each definition, as of somebody foreign. A name that no contract can have, such as one with
 * dots, gets an alias that depends on that name only; no two names share one.
 */
export function bindDefinitions(
  list: readonly RawDefinition[],
  { strict = false }: BindOptions = {},
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
    const aliased = name !== undefined && !isToolName(name);
    const alias = aliased ? { alias: names.toWire(name) } : {};
    try {
      const contract = defineContract(
        // Foreign JSON: the contract checks every member, whatever its type is here.
        { ...definition, ...(aliased ? { name: names.toWire(name) } : {}) } as unknown as ToolDefinition,
        { trust: 'foreign', strict },
      );
      return { ...own, ...alias, contract };
    } catch (error) {
      return { ...own, ...alias, fault: toDefinitionFault(error) };
    }
  });
}

const UNKNOWN: DefinitionFault = Object.freeze({
  code: 'cli/definition-unknown',
  message: 'This entry is no tool definition of MCP, OpenAI or Anthropic.',
});
