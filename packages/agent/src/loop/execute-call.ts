import { createGrant, GateError, type GateSession, type Outcome, PolicyError } from '@toolgate/core';
import type { AgentSettings } from '../agent-config.ts';
import { toRunOutcome } from '../state/run-outcome.ts';
import type { EmitEvent } from './ask-model.ts';
import type { ToolStepInput, ToolStepValue } from './loop-rules.ts';
import { fixedOutcome } from './unsettled-outcome.ts';

/**
 * Puts one call through the gate, with the decision about it where there is one. Never throws: what ends the run comes
 * back as data beside an outcome that is true either way.
 */
export async function executeCall<Context>(
  { turn, call, decision }: ToolStepInput,
  session: GateSession,
  settings: AgentSettings<Context>,
  emit: EmitEvent,
): Promise<{ readonly value: ToolStepValue; readonly cause?: unknown }> {
  await emit({ kind: 'tool-start', turn, call });
  const done = async (
    value: ToolStepValue,
    cause?: unknown,
  ): Promise<{ value: ToolStepValue; cause?: unknown }> => {
    const { outcome } = value;
    if (outcome.approval !== undefined)
      await emit({ kind: 'approval-request', turn, approval: outcome.approval });
    else await emit({ kind: 'tool-end', turn, outcome });
    return cause === undefined ? { value } : { value, cause };
  };

  try {
    if (decision?.kind === 'expire') return done({ outcome: fixedOutcome(call, 'approval_expired') });
    if (decision !== undefined && !(await settings.claimDecision(decision.request.id))) {
      // Somebody else carried this decision out; what came of it is not known here.
      return done({ outcome: fixedOutcome(call, 'interrupted') });
    }
    return done({ outcome: toRunOutcome(await execute()) });
  } catch (error) {
    return done({ outcome: fixedOutcome(call, reasonFor(error)), ended: toFailure(error, call.id) }, error);
  }

  function execute(): Promise<Outcome> {
    if (decision === undefined) return session.execute(call);
    if (decision.kind === 'decline') {
      return session.execute(call, {
        decision: {
          decision: 'decline',
          ...(decision.reason === undefined ? {} : { reason: decision.reason }),
        },
      });
    }
    const edited =
      decision.kind === 'expire' || decision.arguments === undefined ? {} : { arguments: decision.arguments };
    return session.execute(call, { grant: createGrant(decision.request, edited) });
  }
}

/** A handler that ended the run did run, and failed; after any other end the call never started. */
function reasonFor(error: unknown): 'handler_error' | 'not_started' {
  return GateError.is(error) && error.code === 'gate/permanent' ? 'handler_error' : 'not_started';
}

function toFailure(error: unknown, callId: string): NonNullable<ToolStepValue['ended']> {
  if (GateError.is(error) || PolicyError.is(error))
    return { code: error.code, message: error.message, callId };
  return { code: 'gate/permanent', message: 'the run was ended', callId };
}
