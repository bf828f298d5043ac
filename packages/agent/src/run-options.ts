import { AgentError } from './agent-error.ts';
import { refuseUnknown } from './refuse-unknown.ts';

/** What goes with one run. */
export interface RunOptions<Context = unknown> {
  /** The application's trusted value, handed to policies and tools. Never serialised, never made from a model's words. */
  readonly context: Context;
  /** Cancels the run; started calls are joined within the gate's grace period. */
  readonly signal?: AbortSignal;
  /** Who the run acts for; approvals are bound to it, and only the same one resumes the run. */
  readonly principal?: string;
}

/** Options may be left out only where the context may be anything. */
export type OptionsFor<Context> = unknown extends Context ? [RunOptions<Context>?] : [RunOptions<Context>];

/** Only a context that may be anything can be left out. */
export function readOptions<Context>([options]: OptionsFor<Context>): RunOptions<Context> {
  const given = options ?? { context: undefined as Context };
  refuseUnknown('the options of a run', given, ['context', 'signal', 'principal']);
  const { signal } = given;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new AgentError('agent/options-invalid', 'signal is an AbortSignal');
  return { ...given };
}
