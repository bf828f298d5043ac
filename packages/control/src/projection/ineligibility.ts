import type { ModelCall, ToolChoice } from '@toolgate/model';
import type { CheckedControlSpec } from '../spec/control-spec.ts';
import { hasControlItem, isControlInstruction } from './control-instruction.ts';
import { wantsPlainText } from './plain-text.ts';

/**
 * Why a call gets no control tool, in the order in which the conditions are looked at. The first one counts.
 */
export const INELIGIBILITIES = [
  'backend_tools_unsupported',
  'tool_choice_none',
  'tool_choice_constrained',
  'tool_choice_required',
  'allowed_tools_constrained',
  'output_format_unsupported',
  'tool_name_collision',
  'instruction_collision',
] as const;

/** A reason of {@link INELIGIBILITIES}. */
export type Ineligibility = (typeof INELIGIBILITIES)[number];

/**
 * Why a call cannot have the control tool; `undefined` when it can. Looks, and changes nothing.
 *
 * @param capabilities - Those of the backend; without any, no tool can be offered.
 */
export function findIneligibility(
  call: ModelCall,
  spec: CheckedControlSpec,
  capabilities: ReadonlySet<string> | null | undefined,
): Ineligibility | undefined {
  if (capabilities?.has('tools') !== true) return 'backend_tools_unsupported';
  const constraint = constraintOf(call.toolChoice);
  if (constraint !== undefined) return constraint;
  if (!wantsPlainText(call)) return 'output_format_unsupported';
  // By place, here and below: an engine walks a frozen list by method or iterator at several times the cost.
  const { tools, instructions } = call;
  for (let at = 0; at < (tools?.length ?? 0); at += 1) {
    if (tools?.[at]?.name === spec.tool.name) return 'tool_name_collision';
  }
  for (let at = 0; at < (instructions?.length ?? 0); at += 1) {
    if (isControlInstruction(instructions?.[at], spec.instruction)) return 'instruction_collision';
  }
  return hasControlItem(call.items, spec.instruction) ? 'instruction_collision' : undefined;
}

/** Absent, `null` and `auto` leave the choice to the model; everything else is the client's and stays so. */
function constraintOf(choice: ToolChoice | null | undefined): Ineligibility | undefined {
  if (choice === undefined || choice === null) return undefined;
  switch (choice.mode) {
    case 'none':
      return 'tool_choice_none';
    case 'named':
      return 'tool_choice_required';
    case 'auto': {
      if (namesTool(choice)) return 'tool_choice_required';
      return choice.allowed !== undefined && choice.allowed.length > 0
        ? 'allowed_tools_constrained'
        : undefined;
    }
    case 'any':
    case 'foreign':
      return 'tool_choice_constrained';
    default:
      // A word that is not ours: it is not known to leave the choice open.
      return 'tool_choice_constrained';
  }
}

/** A choice may come from a caller without types. */
function namesTool(choice: ToolChoice & { readonly name?: unknown }): boolean {
  return choice.name !== undefined && choice.name !== '';
}
