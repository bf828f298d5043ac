import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import type { ToolDefinition } from '../tool/tool-definition.ts';
import { beginCall, outcomeOf } from './begin-call.ts';
import { type ExecuteOptions, readExecuteOptions } from './call-decision.ts';
import { executeTurn } from './execute-turn.ts';
import { executeUnder } from './execute-under.ts';
import { followSignal } from './follow-signal.ts';
import { GateError } from './gate-error.ts';
import type { GateSession, SessionReport } from './gate-session.ts';
import { readCall } from './read-call.ts';
import type { SessionState } from './session-state.ts';

/** The doors of one session. */
export function createSession<Context>(
  state: SessionState<Context>,
  definitions: readonly ToolDefinition[],
  signal: AbortSignal | undefined,
): GateSession {
  let report: Promise<SessionReport> | undefined;
  const onAbort = (): void => state.cancel(signal?.reason);
  if (signal?.aborted === true) onAbort();
  const unfollow = signal && followSignal(signal, onAbort);

  const checkOpen = (): void => {
    const { failure } = state;
    if (failure === undefined && report === undefined) return;
    const message =
      failure === undefined ? 'The session is closed.' : 'The session ended with an earlier error.';
    throw new GateError('gate/session-closed', message, { cause: failure });
  };

  const join = async (): Promise<SessionReport> => {
    await state.whenIdle();
    state.core.deadlines.rest();
    const { id: sessionId, calls } = state;
    const stragglers = Object.freeze([...state.stragglers]);
    state.emitClose(stragglers);
    return Object.freeze({ sessionId, calls, stragglers });
  };

  const close = (): Promise<SessionReport> => {
    if (report !== undefined) return report;
    // Set before anybody is told: an observer of the end of a call may close the session, too.
    report = Promise.resolve().then(join);
    unfollow?.();
    state.cancel(new DOMException('The session was closed.', 'AbortError'));
    return report;
  };

  return Object.freeze({
    id: state.id,
    definitions,
    execute: (call: ToolCall, options?: ExecuteOptions) => {
      try {
        checkOpen();
        const decision = readExecuteOptions(options);
        const signal = decision?.signal;
        if (signal !== undefined) return executeUnder(signal, state, readCall(call), decision);
        return outcomeOf(beginCall(state, readCall(call), decision));
      } catch (error) {
        ignoreThrown(error);
        return Promise.reject(error);
      }
    },
    executeAll: async (calls: readonly ToolCall[]) => {
      checkOpen();
      const outcomes = await executeTurn(state, calls);
      const { failure } = state;
      if (failure === undefined) return outcomes;
      const { code, message, cause, callId } = failure;
      throw new GateError(code, message, { cause, outcomes, ...(callId === undefined ? {} : { callId }) });
    },
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
    },
  });
}
