import { cloneJson } from '../json/clone-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { createLabelMemory, type LabelMemory } from '../json/write-text.ts';
import { throwIfCancelled } from './cancellation.ts';
import { ContractError } from './contract-error.ts';
import type { InputValidator, ValidatorVerdict } from './input-validator.ts';
import { type Invocation, invocationSource } from './invocation.ts';
import {
  emptyOutput,
  isToolOutput,
  jsonResult,
  outputOf,
  structuredResult,
  textOutput,
} from './make-output.ts';
import { runValidator } from './run-validator.ts';
import type { SealedDefinition } from './sealed-definition.ts';
import { takeInput } from './take-input.ts';
import type { CallContext, Tool } from './tool.ts';
import type { ToolOutput } from './tool-output.ts';

/** What a declared function is made of. */
export interface FunctionParts<Context> {
  readonly sealed: SealedDefinition;
  /** The library's own check of the input; its value is what the function gets. */
  readonly validate: InputValidator | undefined;
  /** The library's own check of the structured result; its value is not used. */
  readonly checkResult: ((value: JsonValue) => ValidatorVerdict) | undefined;
  readonly execute: (input: never, call: CallContext<Context>) => unknown;
}

/**
 * A declared function in two steps, for who waits for a result anyhow: what is there at once needs no promise, and what is
 * not needs no second one.
 */
export interface DirectExecution<Context> {
  /** Gives what the function returned, a promise perhaps; what the function throws at once is thrown at once. */
  readonly start: (invocation: Invocation, call: CallContext<Context>) => unknown;
  /**
   * The output of what was returned, or of what its promise became.
   *
   * @throws {@link ContractError} `tool/output-invalid`
   */
  readonly finish: (result: unknown) => ToolOutput;
}

/** The two steps of each `call` of a declared function, by itself: whatever wraps it is another function, and is called. */
const directs = new WeakMap<object, DirectExecution<never>>();

/**
 * The `call` of a declared function. Asks for cancellation before the function is entered; from then on the function
 * owns the outcome, and a result that it returns is never replaced.
 */
export function toExecution<Context>(parts: FunctionParts<Context>): Tool<Context>['call'] {
  const { sealed, validate } = parts;
  const memory = createLabelMemory();
  // The type of the input was checked where the function was declared.
  const execute = parts.execute as (input: unknown, call: CallContext<Context>) => unknown;
  const direct: DirectExecution<Context> = {
    start: (invocation, call) => {
      throwIfCancelled(call);
      if (invocationSource(invocation)?.definition !== sealed.definition) checkForeign(sealed, invocation);
      return execute(takeInput(invocation, validate), call);
    },
    finish: (result) => toOutput(parts, result, memory),
  };
  const execution: Tool<Context>['call'] = async (invocation, call) =>
    direct.finish(await direct.start(invocation, call));
  directs.set(execution, direct);
  return execution;
}

/**
 * The two steps of the `call` of a declared function; `undefined` for any other `call`. A handler that needs no time then
 * costs no turn of the event loop and no timer.
 */
export function directExecution<Context>(call: Tool<Context>['call']): DirectExecution<Context> | undefined {
  // `toExecution` made both for one context.
  return directs.get(call) as DirectExecution<Context> | undefined;
}

/**
 * A decorator showed another definition than the function's own, so nobody has checked these arguments against it.
 */
function checkForeign({ definition, input }: SealedDefinition, invocation: Invocation): void {
  if (invocationSource(invocation) !== undefined && input.check(invocation.arguments())) return;
  throw new ContractError(
    'tool/invocation-foreign',
    `The arguments were admitted by another definition, and the schema of "${definition.name}" does not accept them.`,
  );
}

function toOutput(parts: FunctionParts<never>, result: unknown, memory: LabelMemory): ToolOutput {
  if (isToolOutput(result)) return outputOf(result);
  if (parts.sealed.output !== undefined) return toStructured(parts, result, memory);
  if (typeof result === 'string') return textOutput(result);
  return result === undefined ? emptyOutput() : jsonResult(result, memory);
}

function toStructured(
  { checkResult }: FunctionParts<never>,
  result: unknown,
  memory: LabelMemory,
): ToolOutput {
  const output = structuredResult(result, memory);
  if (checkResult === undefined) return output;
  const run = runValidator(checkResult, cloneJson(output.structured ?? null));
  if (run.kind === 'valid') return output;
  throw new ContractError(
    'tool/output-invalid',
    'The library that declares the output does not accept the result.',
    {
      cause: run.kind === 'defect' ? run.cause : undefined,
      pointer: run.kind === 'invalid' ? run.issues[0]?.pointer : undefined,
    },
  );
}
