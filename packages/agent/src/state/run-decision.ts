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

const MEMBERS: readonly string[] = ['approvalId', 'decision', 'reason', 'arguments'];

/** What a run knows about its approvals. */
export interface Approvals {
  readonly pending: readonly ApprovalRequest[];
  /** Ids that were decided before. */
  readonly decided: readonly string[];
}

/**
 * Matches decisions with what is pending. The first decision about an id counts; one about what was decided before is
 * left out, so that giving it twice does no harm. What expired meanwhile expires, whatever was decided.
 *
 * @throws AgentError `agent/decision-invalid` for anything that is not a decision, and for an id that the run never
 * asked about; nothing runs then.
 */
export function matchDecisions(
  decisions: readonly RunDecision[],
  { pending, decided }: Approvals,
  now: number,
): readonly DecisionData[] {
  if (!Array.isArray(decisions)) throw invalid('decisions are an array');
  const byId = new Map<string, DecisionData>();
  const requests = new Map(pending.map((request) => [request.id, request]));
  for (const request of pending) {
    if (request.expiresAt !== 'none' && now >= request.expiresAt)
      byId.set(request.id, { kind: 'expire', request });
  }
  const before = new Set(decided);
  for (const decision of decisions as readonly unknown[]) {
    const read = readRunDecision(decision);
    const request = requests.get(read.approvalId);
    if (request === undefined && !before.has(read.approvalId))
      throw invalid('the run did not ask for this approval');
    const data = toDecisionAnswer(read);
    if (request !== undefined && !byId.has(request.id)) byId.set(request.id, { ...data, request });
  }
  return [...byId.values()];
}

/** A decision without the request that it is about, as plain JSON. */
export type DecisionAnswer =
  | { readonly kind: 'allow'; readonly arguments?: JsonObject }
  | { readonly kind: 'decline'; readonly reason?: string };

/**
 * Reads what somebody decided.
 *
 * @throws AgentError `agent/decision-invalid` for edited arguments that are no JSON object.
 */
export function toDecisionAnswer(decision: RunDecision): DecisionAnswer {
  switch (decision.decision) {
    case 'allow':
      return { kind: 'allow' };
    case 'decline':
      return decision.reason === undefined
        ? { kind: 'decline' }
        : { kind: 'decline', reason: decision.reason.toWellFormed() };
    case 'edit':
      return { kind: 'allow', arguments: toArguments(decision.arguments) };
  }
}

/** @throws AgentError `agent/decision-invalid` for anything that is not a decision. */
export function readRunDecision(value: unknown): RunDecision {
  if (typeof value !== 'object' || value === null) throw invalid('a decision is an object');
  const decision = value as {
    approvalId?: unknown;
    decision?: unknown;
    reason?: unknown;
    arguments?: unknown;
  };
  // An edit that is misspelt must not become a yes to what was asked.
  if (Object.keys(value).some((name) => !MEMBERS.includes(name)))
    throw invalid('a decision has approvalId, decision, reason and arguments, and nothing else');
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
