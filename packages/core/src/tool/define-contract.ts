import { unknownField } from '../internal/unknown-field.ts';
import { quoteShort } from '../json/quote-short.ts';
import { toArgumentLimits } from './argument-limits.ts';
import { checkValidator } from './check-validator.ts';
import { type Contract, makeContract } from './contract.ts';
import { ContractError } from './contract-error.ts';
import type { InputValidator } from './input-validator.ts';
import { type SealOptions, sealDefinition } from './sealed-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** How a definition is taken in. */
export interface ContractOptions extends SealOptions {
  /** UTF-8 bytes that the argument text may have. Default 1 MiB. */
  readonly maxArgumentBytes?: number | 'none';
  /** Open brackets in the argument text: 2 to 1,000. Default 64. */
  readonly maxArgumentDepth?: number;
}

/** Options of a contract without a tool. */
export interface DefineContractOptions extends ContractOptions {
  /** Admission rules that the schema cannot express. */
  readonly validator?: InputValidator;
}

const OPTIONS: readonly string[] = [
  'trust',
  'patternEngine',
  'strict',
  'maxArgumentBytes',
  'maxArgumentDepth',
];

/**
 * Refuses an option that is misspelt: what it was meant to bound would not be.
 *
 * @throws {@link ContractError} `tool/options-invalid`
 */
export function checkContractOptions(options: object, more: readonly string[] = []): void {
  const known = [...OPTIONS, ...more];
  const unknown = unknownField(options, known);
  if (unknown === undefined) return;
  const shown = quoteShort(unknown, 40);
  throw new ContractError(
    'tool/options-invalid',
    `There is no option ${shown}; there are ${known.join(', ')}.`,
  );
}

/**
 * The contract of a definition that somebody else executes, for checking proposals only. `bind` makes the contract of
 * a tool.
 *
 * @param definition - Read once and copied.
 * @throws {@link ContractError} `tool/definition-invalid`, `tool/name-invalid`, `tool/schema-invalid`,
 * `tool/validator-invalid`, `tool/options-invalid`
 */
export function defineContract(definition: ToolDefinition, options: DefineContractOptions = {}): Contract {
  checkContractOptions(options, ['validator']);
  return makeContract({
    sealed: sealDefinition(definition, options),
    limits: toArgumentLimits(options.maxArgumentBytes, options.maxArgumentDepth),
    validator: options.validator === undefined ? undefined : checkValidator(options.validator),
  });
}
