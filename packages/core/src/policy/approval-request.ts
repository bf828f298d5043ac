import { freezeJson } from '../json/freeze-json.ts';
import type { Contract } from '../tool/contract.ts';
import type { Invocation } from '../tool/invocation.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ApprovalRequest } from './approval.ts';

/** What an approval request is made from. */
export interface ApprovalFacts {
  readonly id: string;
  readonly contract: Contract;
  readonly invocation: Invocation;
  readonly class: ExecutionClass;
  readonly principal: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly lifetimeMs: number | 'none';
}

/** Describes one exact call for whoever decides on it. The arguments are a copy. Deeply frozen. */
export function toApprovalRequest(facts: ApprovalFacts): ApprovalRequest {
  const { contract, invocation, lifetimeMs, now } = facts;
  return Object.freeze({
    id: facts.id,
    callId: invocation.callId,
    tool: invocation.name,
    class: facts.class,
    contractDigest: contract.digest,
    argumentsDigest: invocation.digest,
    arguments: freezeJson(invocation.arguments()),
    ...(invocation.filled.length === 0 ? {} : { filled: Object.freeze([...invocation.filled]) }),
    ...(facts.principal === undefined ? {} : { principal: facts.principal }),
    requestedAt: now,
    expiresAt: lifetimeMs === 'none' ? lifetimeMs : now + lifetimeMs,
  });
}
