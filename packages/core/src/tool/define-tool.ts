import type { InputSource } from '../schema/input/input.ts';
import { toArgumentLimits } from './argument-limits.ts';
import { checkProfile, checkResultBudget } from './check-policies.ts';
import { checkToolConfig } from './check-tool-config.ts';
import { toExecution } from './function-tool.ts';
import { inputSchemaOf, readSource } from './read-source.ts';
import { sealDefinition } from './sealed-definition.ts';
import type { Tool } from './tool.ts';
import type { ToolConfig, ToolResult } from './tool-config.ts';

/**
 * Declares a tool from a typed function. Pure: nothing is registered.
 *
 * The context that the handler and the policies need is inferred from the annotation of their parameters; the caller
 * has to provide it.
 *
 * @param config - Read once and copied; a later change of it, or of its schemas, changes nothing.
 * @returns A frozen tool.
 * @throws {@link ContractError} `tool/options-invalid`, `tool/definition-invalid`, `tool/name-invalid`,
 * `tool/schema-invalid`: at declaration, with the fix in the message.
 */
export function defineTool<
  const Source extends InputSource,
  Context = unknown,
  const Output extends InputSource | undefined = undefined,
  const Result extends ToolResult<Output> = ToolResult<Output>,
>(config: ToolConfig<Source, Context, Output, Result>): Tool<Context> {
  const checked = checkToolConfig(config);
  const { name, description, title, annotations, unknownMembers, maxArgumentBytes } = checked;
  const input = readSource('input', checked.input, unknownMembers === undefined ? {} : { unknownMembers });
  const output = checked.output === undefined ? undefined : readSource('output', checked.output, {});
  if (maxArgumentBytes !== undefined) toArgumentLimits(maxArgumentBytes, undefined);
  const sealed = sealDefinition({
    name,
    description,
    title,
    annotations,
    inputSchema: inputSchemaOf(input),
    outputSchema: output?.json,
  });
  const { validate } = input;
  return Object.freeze({
    definition: () => sealed.definition,
    call: toExecution({ sealed, validate, checkResult: output?.validate, execute: checked.execute }),
    ...(validate === undefined ? {} : { inputValidator: () => validate }),
    ...(checked.profile === undefined ? {} : { profile: checkProfile(checked.profile) }),
    ...(checked.privileged === undefined ? {} : { privileged: checked.privileged }),
    ...(checked.resultBudget === undefined ? {} : { resultBudget: checkResultBudget(checked.resultBudget) }),
    ...(checked.available === undefined ? {} : { available: checked.available }),
    ...(maxArgumentBytes === undefined ? {} : { maxArgumentBytes }),
  });
}
