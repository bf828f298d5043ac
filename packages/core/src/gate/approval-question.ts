import type { ApprovalCall } from '../policy/approval.ts';
import type { ToolDefinition } from '../tool/tool-definition.ts';
import type { GateCallContext } from './call-context.ts';

/** What an approver learns besides the request; a signal that nobody reads is not made. */
export class ApprovalQuestion<Context> implements ApprovalCall<Context> {
  readonly context: Context;
  readonly definition: ToolDefinition;
  readonly #call: GateCallContext<Context>;

  constructor(call: GateCallContext<Context>, definition: ToolDefinition) {
    this.context = call.context;
    this.definition = definition;
    this.#call = call;
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
