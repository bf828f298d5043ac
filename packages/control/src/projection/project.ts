import type { Edit, ModelCall } from '@toolgate/model';
import type { CheckedControlSpec, ControlSpec } from '../spec/control-spec.ts';
import { validateSpec } from '../spec/validate-spec.ts';
import { findIneligibility } from './ineligibility.ts';
import { leadingItems } from './leading-items.ts';
import { ownData, ownTools } from './own-data.ts';
import { activeProjection, inactiveProjection, type Projection } from './projection.ts';

/** A call as the backend shall see it, and what was decided about it. */
export interface Projected {
  /** With the control tool last and the control instruction first; the given call itself when inactive. */
  readonly call: ModelCall;
  readonly projection: Projection;
}

/**
 * Decides whether a candidate call gets the control tool and adds it: one tool behind all others, one instruction before
 * all others, nothing else. Done once per candidate, before its size is measured; later points use `reassert`.
 *
 * Not being eligible is no error: the call comes back as the same value, and the projection has the reason.
 *
 * @param spec - Checked first, so that an invalid one never hides behind a reason; one that `validateSpec` returned costs
 *   nothing.
 * @param capabilities - Those of the backend; `null` counts as none.
 * @returns Frozen. Tools and instructions are owned; the items of the conversation are those of `call`.
 * @throws ControlError `control/spec-invalid`; nothing was changed.
 */
export function project(
  call: ModelCall,
  spec: ControlSpec | CheckedControlSpec,
  capabilities: ReadonlySet<string> | null | undefined,
): Projected {
  const checked = validateSpec(spec);
  const reason = findIneligibility(call, checked, capabilities);
  if (reason !== undefined) return Object.freeze({ call, projection: inactiveProjection(reason) });
  const tools = ownTools(call.tools ?? []);
  const instructions = ownData(call.instructions ?? []);
  const leading = leadingItems(call.items);
  const asItems = leading.length > 0 || instructions.some(({ origin }) => origin === 'item');
  const anchor = asItems ? call.items[leading.length] : undefined;
  const projection = activeProjection({
    spec: checked,
    toolChoice:
      call.toolChoice === undefined || call.toolChoice === null ? call.toolChoice : ownData(call.toolChoice),
    tools,
    instructions,
    leading: ownData(leading),
    anchor: anchor === undefined ? null : ownData(anchor),
    edits: editsOf(checked),
  });
  // A spread that goes on takes an engine several times as long.
  const projected: { -readonly [Member in keyof ModelCall]: ModelCall[Member] } = { ...call };
  projected.instructions = Object.freeze([checked.instruction, ...instructions]);
  projected.tools = Object.freeze([...tools, checked.tool]);
  return Object.freeze({ call: Object.freeze(projected), projection });
}

/** The edits of each specification that was checked; there is one for every route of a gateway. */
const known = new WeakMap<CheckedControlSpec, readonly Edit[]>();

function editsOf(spec: CheckedControlSpec): readonly Edit[] {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const { instruction, tool } = spec;
  const { role, text } = instruction;
  const edits = Object.freeze([
    Object.freeze({ kind: 'prepend-instruction' as const, role, text }),
    Object.freeze({ kind: 'append-tool' as const, tool }),
  ]);
  known.set(spec, edits);
  return edits;
}
