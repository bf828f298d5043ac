import type { Invocation } from '../tool/invocation.ts';
import type { CallChanges } from './call-changes.ts';
import type { GateCallContext } from './call-context.ts';
import type { Deadline } from './deadlines.ts';
import type { GateEntry } from './gate-entry.ts';
import type { GateError } from './gate-error.ts';
import type { Outcome } from './outcome.ts';
import type { Straggler } from './session-state.ts';
import type { Ticket } from './ticket.ts';

/** A handler that was given up and has not ended. */
export interface LateHandler {
  readonly entry: Straggler;
  readonly since: number;
  /** Whether its call keeps its place in the order for a while. */
  readonly lingers: boolean;
}

/** What changes while a call is on its way. */
export interface RunState<Context> {
  phase: 'waiting' | 'running' | 'finishing' | 'settled';
  entry: GateEntry<Context> | undefined;
  ticket: Ticket | undefined;
  invocation: Invocation | undefined;
  context: GateCallContext<Context> | undefined;
  /** What was done to the call beyond what every call gets; made when there is something. */
  changes: CallChanges | undefined;
  outcome: Outcome | undefined;
  failure: GateError | undefined;
  waiter: ((outcome: Outcome) => void) | undefined;
  deadline: Deadline | undefined;
  /** What to do when the deadline is over; `undefined` for the handler's own. */
  onOver: (() => void) | undefined;
  straggler: LateHandler | undefined;
  /** Set where somebody listens; a clock costs as much as some steps. */
  readonly startedAt: number | undefined;
}

/** The state of a call that came in. One literal, so that all of them have one shape. */
export function newRunState<Context>(startedAt: number | undefined): RunState<Context> {
  return {
    phase: 'waiting',
    entry: undefined,
    ticket: undefined,
    invocation: undefined,
    context: undefined,
    changes: undefined,
    outcome: undefined,
    failure: undefined,
    waiter: undefined,
    deadline: undefined,
    onOver: undefined,
    straggler: undefined,
    startedAt,
  };
}
