import type { JsonObject } from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';
import {
  DEFAULT_MAX_ARGS_BYTES,
  MAX_DESCRIPTION_BYTES,
  MAX_INSTRUCTION_BYTES,
  MAX_TOOL_NAME_BYTES,
} from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { memberReader } from '../text/read-member.ts';
import { textFault } from '../text/text-fault.ts';
import type { CheckedControlSpec, ControlInstruction, ControlSpec } from './control-spec.ts';
import { readParameters } from './read-parameters.ts';

/** Specs that came out of here; they are frozen, so that one look is enough. */
const checked = new WeakSet<object>();

/**
 * Checks a spec and copies it: tool, then instruction, then budget, and the first fault counts. A spec that was
 * checked before comes back as it is.
 *
 * @returns Deeply frozen; later changes of `spec` reach it no more.
 * @throws ControlError `control/spec-invalid`.
 */
export function validateSpec(spec: ControlSpec | CheckedControlSpec): CheckedControlSpec {
  if (isChecked(spec)) return spec;
  const member = memberReader(spec, 'control/spec-invalid', 'the spec');
  const tool = readTool(member('tool'));
  const instruction = validateInstruction(member('instruction'));
  const maxArgsBytes = member('maxArgsBytes') ?? DEFAULT_MAX_ARGS_BYTES;
  if (!isBudget(maxArgsBytes)) {
    throw new ControlError(
      'control/spec-invalid',
      `maxArgsBytes must be a whole number from 1 to ${DEFAULT_MAX_ARGS_BYTES}.`,
    );
  }
  const result: CheckedControlSpec = Object.freeze({ tool, instruction, maxArgsBytes });
  checked.add(result);
  return result;
}

/**
 * Checks an instruction: `system` or `developer`, not blank, bounded, without U+0000.
 *
 * @returns A frozen copy.
 * @throws ControlError `control/spec-invalid`.
 */
export function validateInstruction(instruction: unknown): ControlInstruction {
  const member = memberReader(instruction, 'control/spec-invalid', 'the instruction');
  const role = member('role');
  if (role !== 'system' && role !== 'developer') {
    throw new ControlError(
      'control/spec-invalid',
      'The role of the instruction must be system or developer.',
    );
  }
  const text = checkedText(member('text'), 'The text of the instruction', {
    maxBytes: MAX_INSTRUCTION_BYTES,
    required: true,
    noNul: true,
  });
  return Object.freeze({ role, text });
}

function readTool(value: unknown): FunctionTool & { readonly parameters: JsonObject } {
  const member = memberReader(value, 'control/spec-invalid', 'the tool');
  const name = checkedText(member('name'), 'The name of the tool', {
    maxBytes: MAX_TOOL_NAME_BYTES,
    required: true,
    exact: true,
  });
  const said = member('description');
  const description =
    said === undefined
      ? undefined
      : checkedText(said, 'The description of the tool', { maxBytes: MAX_DESCRIPTION_BYTES });
  const parameters = readParameters(member('parameters'));
  return Object.freeze({
    kind: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
  });
}

function checkedText(value: unknown, what: string, rule: Parameters<typeof textFault>[1]): string {
  const fault = textFault(value, rule);
  if (fault !== undefined || typeof value !== 'string') {
    throw new ControlError('control/spec-invalid', `${what} ${fault}.`);
  }
  return value;
}

function isBudget(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= DEFAULT_MAX_ARGS_BYTES;
}

function isChecked(spec: ControlSpec | CheckedControlSpec): spec is CheckedControlSpec {
  return checked.has(spec);
}
