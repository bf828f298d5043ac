import type { GateSession, ToolProgress } from '@toolgate/core';
import type { AgentSettings } from './agent-config.ts';
import { createStandstill, type Standstill } from './loop/standstill.ts';
import type { LoopState } from './state/loop-state.ts';
import { type Offered, offerSame } from './state/offer-same.ts';

/** A run with its gate open. */
export interface OpenRun {
  readonly session: GateSession;
  readonly offered: Offered;
  /** Whether the time of the run stands still, because somebody is asked. */
  readonly standstill: Standstill;
  /** Aborted when the run was cancelled, so that nothing starts any more. */
  readonly signal: AbortSignal;
  /** `true` for the first that asks: what ends the run first is its cause. */
  claimEnd(): boolean;
  /** Does `work` after everything that was given before; calls reach the gate in call order, however long a claim takes. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Receives progress of running calls. */
export type OnProgress = (callId: string, progress: ToolProgress) => void;

/**
 * Opens the gate for a run, or again for one that goes on.
 *
 * @throws GateError as `gate.open` does.
 */
export async function openRun<Context>(
  { clock, gate }: Pick<AgentSettings<Context>, 'clock' | 'gate'>,
  {
    runId,
    principal,
    advertised,
    declinedCalls,
  }: Pick<LoopState, 'runId' | 'principal' | 'advertised' | 'declinedCalls'>,
  context: Context,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Promise<OpenRun> {
  const session = await gate.open({
    context,
    signal,
    // The same again when a run goes on, so that idempotency keys stay the same.
    sessionId: runId,
    ...(principal === null ? {} : { principal }),
    ...(declinedCalls === undefined ? {} : { declined: declinedCalls }),
    ...(onProgress === undefined
      ? {}
      : {
          observe: (event) => {
            if (event.kind === 'call-progress') onProgress(event.callId, event);
          },
        }),
  });
  let ended = false;
  let before: Promise<unknown> = Promise.resolve();
  return {
    session,
    standstill: createStandstill(clock),
    offered: offerSame(session.definitions, gate.tools, advertised),
    signal,
    claimEnd() {
      const first = !ended;
      ended = true;
      return first;
    },
    inOrder(work) {
      const done = before.then(work);
      before = done.catch(() => undefined);
      return done;
    },
  };
}
