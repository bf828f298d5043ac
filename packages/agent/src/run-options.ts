import { isSignal, type ToolCall } from '@toolgate/core';
import { AgentError } from './agent-error.ts';
import { refuseUnknown } from './refuse-unknown.ts';

/** What goes with one run. */
export interface RunOptions<Context = unknown> {
  /** The application's trusted value, handed to policies and tools. Never serialised, never made from a model's words. */
  readonly context: Context;
  /** Cancels the run; started calls are joined within the gate's grace period. */
  readonly signal?: AbortSignal;
  /**
   * Gives a signal that cancels one call and nothing else: its siblings and the run go on, and the model is told. Asked
   * once for each call that is on its way through the gate, before its `tool-start`. What it gets is frozen. Default: no
   * call has one.
   */
  readonly callSignal?: (call: ToolCall) => AbortSignal | undefined;
  /** Who the run acts for; approvals are bound to it, and only the same one resumes the run. */
  readonly principal?: string;
}

/** Options may be left out only where the context may be anything. */
export type OptionsFor<Context> = unknown extends Context ? [RunOptions<Context>?] : [RunOptions<Context>];

/** Only a context that may be anything can be left out. */
export function readOptions<Context>([options]: OptionsFor<Context>): RunOptions<Context> {
  const given = options ?? { context: undefined as Context };
  refuseUnknown('the options of a run', given, ['context', 'signal', 'callSignal', 'principal']);
  const { signal, callSignal } = given;
  if (signal !== undefined && !isSignal(signal))
    throw new AgentError('agent/options-invalid', 'signal is an AbortSignal');
  if (callSignal !== undefined && typeof callSignal !== 'function')
    throw new AgentError('agent/options-invalid', 'callSignal is a function that gives an AbortSignal');
  return { ...given };
}
