import { checkSeal, SEAL } from '../internal/seal.ts';
import { unknownField } from '../internal/unknown-field.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ApprovalRequest } from './approval.ts';
import { PolicyError } from './policy-error.ts';
import { readApprovalRequest } from './read-approval-request.ts';
import { readEditedArguments } from './read-decision.ts';

/** What a grant is compared with when it is used: the call as it would run now. */
export type RedeemFacts = Pick<
  ApprovalRequest,
  'callId' | 'tool' | 'contractDigest' | 'argumentsDigest' | 'principal'
> & {
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** Why a grant does not permit a call; for audit only. */
export type VoidReason = 'used' | 'expired' | 'call' | 'contract' | 'arguments' | 'principal';

/** A redeemed grant, with the edited arguments where there are any. */
export type Redeemed =
  | { readonly ok: true; readonly argumentsText: string | undefined }
  | { readonly ok: false; readonly reason: VoidReason };

let isOwn: (value: object) => boolean;
let create: (request: ApprovalRequest, argumentsText: string | undefined) => ApprovalGrant;
let redeem: (grant: ApprovalGrant, facts: RedeemFacts) => Redeemed;

/**
 * A yes to one approval request. It permits one execution of the exact call it was made for, once; when the contract,
 * the arguments, the principal or the call differ, or the time is over, it permits nothing. Cannot be forged.
 */
export class ApprovalGrant {
  static {
    isOwn = (value) => #request in value;
    create = (request, argumentsText) => new ApprovalGrant(SEAL, request, argumentsText);
    redeem = (grant, facts) => grant.#redeem(facts);
  }
  readonly #request: ApprovalRequest;
  readonly #argumentsText: string | undefined;
  #used = false;

  private constructor(seal: typeof SEAL, request: ApprovalRequest, argumentsText: string | undefined) {
    checkSeal(seal, 'createGrant makes a grant');
    this.#request = request;
    this.#argumentsText = argumentsText;
    Object.freeze(this);
  }

  /** What was approved. */
  get request(): ApprovalRequest {
    return this.#request;
  }

  /** Whether a call was permitted by it already. */
  get used(): boolean {
    return this.#used;
  }

  #redeem(facts: RedeemFacts): Redeemed {
    const reason = this.#voidReason(facts);
    if (reason !== undefined) return { ok: false, reason };
    this.#used = true;
    return { ok: true, argumentsText: this.#argumentsText };
  }

  #voidReason(facts: RedeemFacts): VoidReason | undefined {
    const request = this.#request;
    if (this.#used) return 'used';
    if (request.expiresAt !== 'none' && facts.now >= request.expiresAt) return 'expired';
    if (request.callId !== facts.callId || request.tool !== facts.tool) return 'call';
    if (request.contractDigest !== facts.contractDigest) return 'contract';
    if (request.argumentsDigest !== facts.argumentsDigest) return 'arguments';
    return request.principal === facts.principal ? undefined : 'principal';
  }
}

/** What a reviewer may add to a yes. */
export interface GrantOptions {
  /** Run with these arguments instead; they are admitted by the contract and authorised like any others. */
  readonly arguments?: JsonObject;
}

/**
 * Turns a decision for an approval request, perhaps restored from storage, into a grant for `session.execute`. That a
 * stored request is decided only once is for the store to ensure: each call of this function makes a new grant.
 *
 * @throws {@link PolicyError} `policy/request-invalid` for a request that cannot be read or was changed;
 * `policy/decision-invalid` for edited arguments that are not an object with a JSON form, and for an unknown option.
 */
export function createGrant(request: ApprovalRequest, options: GrantOptions = {}): ApprovalGrant {
  // An edit that is misspelt must not become a yes to what was asked.
  if (unknownField(options, ['arguments']) !== undefined) {
    throw new PolicyError('policy/decision-invalid', 'A grant takes arguments, and nothing else.');
  }
  const { arguments: edited } = options;
  return create(readApprovalRequest(request), edited === undefined ? undefined : readEditedArguments(edited));
}

/** Whether a value is a genuine grant, and not an object with its prototype. */
export function isGrant(value: unknown): value is ApprovalGrant {
  return typeof value === 'object' && value !== null && isOwn(value);
}

/**
 * Uses a grant for a call. Only a success uses it up.
 *
 * @throws TypeError for anything but a grant of this copy.
 */
export function redeemGrant(grant: ApprovalGrant, facts: RedeemFacts): Redeemed {
  return redeem(grant, facts);
}
