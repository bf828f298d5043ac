import { type ApprovalRequest, JsonError, type JsonObject, readJson, writeJson } from '@toolgate/core';
import { AgentError } from '../agent-error.ts';
import type { DecisionData } from '../loop/loop-rules.ts';

/** What somebody decided about one pending approval. */
export type RunDecision =
  | { readonly approvalId: string; readonly decision: 'allow' }
  /** `reason` is shown to the model. */
  | { readonly approvalId: string; readonly decision: 'decline'; readonly reason?: string }
  /** Allow, with these arguments instead: a JSON text or an object; they are admitted by the contract again. */
  | { readonly approvalId: string; readonly decision: 'edit'; readonly arguments: string | JsonObject };

/**
 * Matches decisions with what is pending. The first decision about an id counts; decisions about what is not pending
 * (any more) are left out, so that giving them twice does no harm. What expired meanwhile expires, whatever was decided.
 *
 * @throws AgentError `agent/decision-invalid` for anything that is not a decision; nothing runs then.
 */
export function matchDecisions(
  decisions: readonly RunDecision[],
  pending: readonly ApprovalRequest[],
  now: number,
): readonly DecisionData[] {
  if (!Array.isArray(decisions)) throw invalid('decisions are an array');
  const byId = new Map<string, DecisionData>();
  const requests = new Map(pending.map((request) => [request.id, request]));
  for (const request of pending) {
    if (request.expiresAt !== 'none' && now >= request.expiresAt)
      byId.set(request.id, { kind: 'expire', request });
  }
  for (const decision of decisions as readonly unknown[]) {
    const read = readRunDecision(decision);
    const request = requests.get(read.approvalId);
    if (request !== undefined && !byId.has(request.id)) byId.set(request.id, toData(read, request));
  }
  return [...byId.values()];
}

function toData(decision: RunDecision, request: ApprovalRequest): DecisionData {
  switch (decision.decision) {
    case 'allow':
      return { kind: 'allow', request };
    case 'decline':
      return decision.reason === undefined
        ? { kind: 'decline', request }
        : { kind: 'decline', request, reason: decision.reason };
    case 'edit':
      return { kind: 'allow', request, arguments: toArguments(decision.arguments) };
  }
}

function readRunDecision(value: unknown): RunDecision {
  if (typeof value !== 'object' || value === null) throw invalid('a decision is an object');
  const decision = value as {
    approvalId?: unknown;
    decision?: unknown;
    reason?: unknown;
    arguments?: unknown;
  };
  if (typeof decision.approvalId !== 'string') throw invalid('a decision names an approvalId');
  if (
    decision.reason !== undefined &&
    (decision.decision !== 'decline' || typeof decision.reason !== 'string')
  ) {
    throw invalid('only a decline has a reason, and it is a text');
  }
  if ((decision.decision === 'edit') !== (decision.arguments !== undefined)) {
    throw invalid('edit comes with arguments, and nothing else does');
  }
  if (decision.decision !== 'allow' && decision.decision !== 'decline' && decision.decision !== 'edit') {
    throw invalid('a decision is allow, decline or edit');
  }
  return value as RunDecision;
}

function toArguments(edited: string | JsonObject): JsonObject {
  try {
    const value = readJson(typeof edited === 'string' ? edited : writeJson(edited));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (cause) {
    const why = JsonError.is(cause) ? cause.message : 'they have no JSON form';
    throw new AgentError('agent/decision-invalid', `the edited arguments cannot be read: ${why}`, { cause });
  }
  throw invalid('edited arguments are a JSON object');
}

function invalid(message: string): AgentError {
  return new AgentError('agent/decision-invalid', message);
}
