import {
  type Digest,
  digest,
  type GateTool,
  isToolOutput,
  type JsonValue,
  type ToolCall,
  textOutput,
  writeJson,
} from '@toolgate/core';
import type { Handler } from '../durable/port.ts';
import type { DecisionData, ToolStepInput, ToolStepValue } from '../loop/loop-rules.ts';
import { fixedOutcome } from '../loop/unsettled-outcome.ts';
import type { RunOutcome } from '../state/run-outcome.ts';
import type { Reconcile, Reconciled } from './durable-config.ts';
import type { FindAttempt } from './step-handlers.ts';

/**
 * Answers for a call in doubt what the application knows about it; `null` where nobody knows. It never executes
 * anything, and what it is told is told once: the answer becomes the outcome.
 */
export function createReconciler<Context>(
  reconcile: Reconcile<Context>,
  tools: readonly GateTool[],
  find: FindAttempt<Context>,
): Handler {
  const contracts = new Map(tools.map(({ contract }) => [contract.definition.name, contract]));

  /** The digest that the handler's idempotency key was made of; `undefined` for a call that no contract admits. */
  const digestOf = (call: ToolCall): Digest | undefined => {
    const prepared = contracts.get(call.name)?.prepare(call);
    return prepared?.ok === true ? prepared.invocation.digest : undefined;
  };

  return async (input, { runId, signal }) => {
    const { call: proposed, decision } = input as unknown as ToolStepInput;
    const call = asDecided(proposed, decision);
    const argumentsDigest = digestOf(call);
    // Nothing that the contract refuses can have been started.
    if (argumentsDigest === undefined) return null;
    const context = await find(runId).context();
    const answer = await reconcile(
      {
        runId,
        callId: call.id,
        tool: call.name,
        arguments: call.arguments,
        idempotencyKey: digest([runId, call.id, argumentsDigest]),
      },
      { context, signal },
    );
    const outcome = toOutcome(call, answer);
    const value: ToolStepValue | null = outcome === null ? null : { outcome, elapsedMs: 0 };
    return value as unknown as JsonValue;
  };
}

function asDecided(call: ToolCall, decision: DecisionData | undefined): ToolCall {
  const edited = decision?.kind === 'allow' ? decision.arguments : undefined;
  return edited === undefined ? call : { ...call, arguments: writeJson(edited) };
}

function toOutcome(call: ToolCall, answer: Reconciled): RunOutcome | null {
  if (answer?.kind === 'not-started') return fixedOutcome(call, 'not_started');
  if (answer?.kind !== 'completed') return null;
  const output = typeof answer.output === 'string' ? textOutput(answer.output) : answer.output;
  if (!isToolOutput(output)) return null;
  const { parts, structured } = output.toJSON();
  return {
    callId: call.id,
    name: call.name,
    kind: 'completed',
    reason: 'completed',
    parts,
    ...(structured === undefined ? {} : { structured }),
  };
}
