import type { Instruction, Item, ModelCall, ModelTool } from '@toolgate/model';
import { ControlError } from '../control-error.ts';
import { hasControlItem } from './control-instruction.ts';
import { leadingItems } from './leading-items.ts';
import { type Projection, type Proof, proofOf } from './projection.ts';
import { sameData } from './same-data.ts';

/**
 * Replays an approved projection on a call that was reconstructed since. Decides nothing again: tool choice, the
 * client's tools and its instructions must be the frozen ones, exactly. The control tool and the control instruction,
 * each for itself, are left where they are or put back when they are gone; anything between is a conflict. The rest of
 * the conversation is free.
 *
 * @returns `call` itself when it is intact, a frozen copy otherwise. Done twice, nothing more changes.
 * @throws ControlError `control/projection-inactive`; `control/projection-conflict`: the candidate must not be opened.
 */
export function reassert(call: ModelCall, projection: Projection): ModelCall {
  const proof = proofOf(projection);
  if (!sameData(proof.toolChoice, call.toolChoice)) throw conflict('the tool choice is another');
  const hasTool = checkTools(proof, call.tools ?? []);
  const hasInstruction = checkInstructions(proof, call.instructions ?? []);
  checkItems(proof, call.items);
  if (hasTool && hasInstruction) return call;
  const { spec, tools, instructions } = proof;
  return Object.freeze({
    ...call,
    ...(hasInstruction ? {} : { instructions: Object.freeze([spec.instruction, ...instructions]) }),
    ...(hasTool ? {} : { tools: Object.freeze([...tools, spec.tool]) }),
  });
}

/** Whether the control tool is there, as the last one behind the frozen ones; `false` when it is gone. */
function checkTools({ tools, spec }: Proof, current: readonly ModelTool[]): boolean {
  const present = current.length === tools.length + 1;
  const same = present
    ? sameFrom(0, tools, current) && sameData(spec.tool, current[tools.length])
    : sameData(tools, current);
  if (!same) throw conflict('the tools are not the approved ones');
  return present;
}

/** Whether the control instruction is there, as the first one before the frozen ones; `false` when it is gone. */
function checkInstructions({ instructions, spec }: Proof, current: readonly Instruction[]): boolean {
  const present = current.length === instructions.length + 1;
  const same = present
    ? sameData(spec.instruction, current[0]) && sameFrom(1, instructions, current)
    : sameData(instructions, current);
  if (!same) throw conflict('the instructions are not the approved ones');
  return present;
}

/** Whether a list holds the known entries from a place on. */
function sameFrom(start: number, known: readonly unknown[], current: readonly unknown[]): boolean {
  for (let at = 0; at < known.length; at += 1) {
    if (!sameData(known[at], current[start + at])) return false;
  }
  return true;
}

/** Nothing that instructs may have come into the conversation; its course is free. */
function checkItems({ leading, anchor, spec }: Proof, items: readonly Item[]): void {
  if (hasControlItem(items, spec.instruction)) {
    throw conflict('the control instruction is in the conversation');
  }
  if (
    !sameData(leading, leadingItems(items)) ||
    (anchor !== null && !sameData(anchor, items[leading.length]))
  ) {
    throw conflict('the head of the conversation is another');
  }
}

function conflict(problem: string): ControlError {
  return new ControlError('control/projection-conflict', `The control projection is broken: ${problem}.`);
}
