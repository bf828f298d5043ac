import type { CallRefusal } from '../tool/call-refusal.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolDefinition } from '../tool/tool-definition.ts';

/** Arguments that were refused, for a repair. */
export interface RepairRequest<Context = unknown> {
  readonly call: ToolCall;
  readonly refusal: CallRefusal;
  /** Frozen. */
  readonly definition: ToolDefinition;
  readonly context: Context;
  readonly signal: AbortSignal;
}

/**
 * Proposes other argument text for a call that was refused; `undefined` lets the refusal stand. Asked at most once for
 * a call, never for a tool of class `write` or `external` or of an unknown one, and only when the arguments were
 * malformed, no object, or rejected. What it proposes is checked like any other text, and the outcome says that it was
 * used. A throw, or anything but a string, lets the refusal stand.
 */
export type Repair<Context = unknown> = (
  request: RepairRequest<Context>,
) => string | undefined | Promise<string | undefined>;
