import { type ApprovalRequest, freezeJson, type JsonObject, rankOf } from '@toolgate/core';
import { lastUse } from '../../approvals/last-use.ts';
import type { ApprovalRecord, ApprovalStore } from '../../ports/approval-store.ts';
import { type Principal, permits, permitsTool } from '../../ports/principal.ts';
import type { AdmittedCall } from './call-account.ts';
import type { Caller } from './caller.ts';
import type { FirewallPolicy } from './firewall-policy.ts';

/** Where approvals are asked for. */
export interface ApprovalDesk {
  readonly approvals: ApprovalStore;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One call that needs a person's yes. */
export interface ApprovalNeed {
  readonly admitted: AdmittedCall;
  readonly caller: Caller;
  readonly lifetimeMs: number;
  /** Who presents the key of the request now. */
  readonly present: () => Promise<Principal | undefined>;
  /** The rules of a route by the configuration that serves now; `undefined` where it has no such route. */
  readonly rules: (
    route: string,
  ) => Pick<FirewallPolicy, 'approvalFor' | 'classOf' | 'mode' | 'permits'> | undefined;
  /** Aborted when the client is gone. The question stays: the same call may be asked for again. */
  readonly signal: AbortSignal;
}

/** How a question ended. */
export type ApprovalEnd =
  | { readonly kind: 'approved'; readonly id: string; readonly arguments: JsonObject | undefined }
  | { readonly kind: 'declined'; readonly id: string; readonly reason: string | undefined }
  | { readonly kind: 'expired' | 'cancelled'; readonly id: string }
  /** It was put before nobody. */
  | { readonly kind: 'crowded' }
  /** Its key does not open the tool, or its route, any more, or the route does not let it through. The yes is not used up. */
  | { readonly kind: 'keyless' | 'ruled-out'; readonly id: string };

type SettledEnd = Exclude<ApprovalEnd, { readonly kind: 'crowded' | 'keyless' | 'ruled-out' }>;

/** Questions of one principal that may be open at the same time: one who floods the reviewers is not put before them. */
const MAX_PENDING = 100;

/** Approvals of the same exact call that others use up first; then something is wrong. */
const MAX_ROUNDS = 8;

const WHY = 'The rules of the route ask for an approval of this call.';

/**
 * Asks for an approval of one exact call and waits. A question that is open already, from a client that came back, is
 * joined; a no holds for the same call as long as it was asked for; a yes is used up, once over all gateways. Who has too
 * many questions open is not asked for, as clients that go away leave theirs behind.
 *
 * @throws What the store throws, and the reason of the signal.
 */
export async function askApproval(need: ApprovalNeed, desk: ApprovalDesk): Promise<ApprovalEnd> {
  const { approvals } = desk;
  let last = '';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const same = await approvals.findSame(sameCall(need));
    if (same === undefined && (await hasTooMany(need, approvals))) return { kind: 'crowded' };
    const asked = same ?? (await approvals.create(newApproval(need, desk, await whyAsked(need, approvals))));
    const settled = asked.status === 'pending' ? await approvals.wait(asked.id, need.signal) : asked;
    const end = endOf(settled);
    if (end.kind !== 'approved') return end;
    if (!(await hasKey(need))) return { kind: 'keyless', id: end.id };
    if (!isLetThrough(need)) return { kind: 'ruled-out', id: end.id };
    // Nobody may be there any more by now, and a yes would be used up for nothing.
    need.signal.throwIfAborted();
    if (await approvals.consume(end.id)) return end;
    last = end.id;
  }
  return { kind: 'expired', id: last };
}

/** A client that lost the answer asks again, and a yes to that would make it happen twice. */
async function whyAsked(need: ApprovalNeed, approvals: ApprovalStore): Promise<string> {
  const at = await lastUse(approvals, sameCall(need));
  if (at === undefined) return WHY;
  return `${WHY} The same call was approved before, and what was approved went to the client at ${new Date(at).toISOString()}.`;
}

/** A person takes hours, and a key may be revoked or given other rules meanwhile. */
async function hasKey({ admitted, caller, present }: ApprovalNeed): Promise<boolean> {
  const now = await present();
  if (now === undefined || now.id !== caller.principal.id) return false;
  return permits(now.routes, caller.route) && permitsTool(now, admitted.call.name);
}

/**
 * Rules may have become stricter meanwhile, and who says yes goes by those that hold now. Whoever was asked about a tool of a lesser
 * class was not asked about this one.
 */
function isLetThrough({ admitted, caller, rules }: ApprovalNeed): boolean {
  const now = rules(caller.route);
  if (now === undefined) return false;
  const { name } = admitted.call;
  const own = now.classOf(name);
  const isAnother = rankOf(own) > rankOf(admitted.class) && now.approvalFor(name, own) !== undefined;
  return now.mode === 'observe' || (now.permits(name) && !isAnother);
}

async function hasTooMany({ caller }: ApprovalNeed, approvals: ApprovalStore): Promise<boolean> {
  const filter = { status: 'pending', origin: 'llm', principal: caller.principal.id } as const;
  return (await approvals.list(filter, { limit: MAX_PENDING, contents: false })).items.length >= MAX_PENDING;
}

function endOf({ id, settlement, status }: ApprovalRecord): SettledEnd {
  switch (status) {
    case 'approved':
      return { kind: 'approved', id, arguments: settlement?.arguments };
    case 'declined':
      return { kind: 'declined', id, reason: settlement?.reason };
    case 'cancelled':
      return { kind: 'cancelled', id };
    case 'expired':
    case 'pending':
      return { kind: 'expired', id };
  }
}

function sameCall({ admitted, caller }: ApprovalNeed): Parameters<ApprovalStore['findSame']>[0] {
  return {
    principal: caller.principal.id,
    origin: 'llm',
    place: caller.route,
    tool: admitted.invocation.name,
    class: admitted.class,
    contractDigest: admitted.contract.digest,
    argumentsDigest: admitted.invocation.digest,
  };
}

function newApproval(
  { admitted, caller, lifetimeMs }: ApprovalNeed,
  { newId, now }: ApprovalDesk,
  why: string,
): Parameters<ApprovalStore['create']>[0] {
  const { contract, invocation } = admitted;
  const requestedAt = now();
  const request: ApprovalRequest = {
    id: newId(),
    callId: invocation.callId,
    tool: invocation.name,
    class: admitted.class,
    contractDigest: contract.digest,
    argumentsDigest: invocation.digest,
    arguments: freezeJson(invocation.arguments()),
    ...(invocation.filled.length === 0 ? {} : { filled: invocation.filled }),
    principal: caller.principal.id,
    requestedAt,
    expiresAt: requestedAt + lifetimeMs,
  };
  return {
    request: Object.freeze(request),
    origin: 'llm',
    place: caller.route,
    keyId: caller.principal.keyId,
    requestId: caller.requestId,
    definition: contract.definition,
    why,
  };
}
