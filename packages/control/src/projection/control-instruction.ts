import type { Instruction, Item } from '@toolgate/model';
import type { ControlInstruction } from '../spec/control-spec.ts';

/**
 * Whether an instruction is exactly the control instruction: its role, its text, and nothing else. Where the wire
 * carried it does not matter.
 */
export function isControlInstruction(
  candidate: Instruction | undefined,
  control: ControlInstruction,
): boolean {
  return (
    candidate?.role === control.role && candidate.text === control.text && candidate.extensions === undefined
  );
}

/** Whether an item of the conversation is exactly the control instruction: one text part, no id, no other members. */
export function hasControlItem(items: readonly Item[], control: ControlInstruction): boolean {
  for (let at = 0; at < items.length; at += 1) if (isControlItem(items[at], control)) return true;
  return false;
}

function isControlItem(item: Item | undefined, control: ControlInstruction): boolean {
  if (item?.kind !== 'message' || item.role !== control.role || item.parts.length !== 1) return false;
  if (item.id !== undefined || item.extensions !== undefined) return false;
  const [part] = item.parts;
  return part?.kind === 'text' && part.text === control.text && part.extensions === undefined;
}
