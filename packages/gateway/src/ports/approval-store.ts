import type { ApprovalRequest, Digest, ExecutionClass, JsonObject, ToolDefinition } from '@toolgate/core';
import type { Page, PageRequest } from './page.ts';

/** Which door a call came through. */
export type CallOrigin = 'llm' | 'mcp';

/** What an approval is made from. */
export interface NewApproval {
  /** From the gate, or made like one: the exact call, who it acts for, and until when a decision may be given. */
  readonly request: ApprovalRequest;
  readonly origin: CallOrigin;
  /** Name of the route or of the mounted server. */
  readonly place: string;
  /** The key that was used. */
  readonly keyId: string;
  /** Id of the request to the gateway. */
  readonly requestId?: string;
  /** What the model was shown of the tool: the client's own definition, or the server's. */
  readonly definition: ToolDefinition;
  /** Why the call needs an approval, in one of our sentences. */
  readonly why?: string;
}

/** Where an approval stands. `expired` and `cancelled` are never a person's no. */
export type ApprovalStatus = 'pending' | 'approved' | 'declined' | 'expired' | 'cancelled';

/** How an approval was settled. Frozen. */
export interface ApprovalSettlement {
  /** The principal of the reviewer, or `'system'`. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reason?: string;
  /** The arguments to run with instead, where the reviewer changed them. */
  readonly arguments?: JsonObject;
  readonly argumentsDigest?: Digest;
}

/** One approval as it is stored. Deeply frozen. */
export interface ApprovalRecord {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly origin: CallOrigin;
  /** The route, or the MCP server. */
  readonly place: string;
  readonly keyId: string;
  readonly requestId?: string;
  readonly principal?: string;
  readonly callId: string;
  readonly tool: string;
  readonly class: ExecutionClass;
  readonly contractDigest: Digest;
  readonly argumentsDigest: Digest;
  /** Milliseconds since the epoch, as every time of a record. */
  readonly requestedAt: number;
  readonly expiresAt: number | 'none';
  /** For reviewers: why a yes is needed. */
  readonly why?: string;
  /** The exact request, arguments included; gone some time after the approval is over, unless contents are kept. */
  readonly request?: ApprovalRequest;
  /** Gone together with `request`. */
  readonly definition?: ToolDefinition;
  /** Absent while it is pending. */
  readonly settlement?: ApprovalSettlement;
  /** When the approval was used up. */
  readonly consumedAt?: number;
  /** Sequence number of the audit record of its last change; grows with every change of any approval. */
  readonly revision: number;
}

/** A decision of a reviewer. */
export interface Decision {
  readonly verdict: 'approve' | 'decline';
  /** The principal of the reviewer. */
  readonly by: string;
  /** For the model, on a decline: cleaned and cut by whoever shows it. At most 2,000 characters. */
  readonly reason?: string;
  /** With `approve`: run with these instead. The caller has admitted them by the contract. */
  readonly arguments?: JsonObject;
}

/** What became of a decision. */
export type DecideResult =
  /** It counts, and is on the disk. */
  | { readonly kind: 'decided'; readonly record: ApprovalRecord }
  /** Somebody was first; here is what was decided. */
  | { readonly kind: 'conflict'; readonly record: ApprovalRecord }
  /** The time was over. */
  | { readonly kind: 'expired'; readonly record: ApprovalRecord }
  /** Who asks for it may not allow it: the rule of four eyes. It is open as before. */
  | { readonly kind: 'own'; readonly record: ApprovalRecord }
  | { readonly kind: 'unknown' };

/** Which approvals of a list, and how much of each. */
export interface ApprovalPageRequest extends PageRequest {
  /** Whether arguments and definitions are read; they may be megabytes. Default `true`. */
  readonly contents?: boolean;
}

/** Which approvals are listed; every field narrows. */
export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly principal?: string;
  readonly tool?: string;
  readonly origin?: CallOrigin;
  readonly place?: string;
}

/** One exact call, whatever id a model gave it. */
export interface SameCall {
  readonly principal: string | undefined;
  readonly origin: CallOrigin;
  readonly place: string;
  readonly tool: string;
  /** What whoever is asked was told of the tool: a decision about a `write` is none about an `external`. */
  readonly class: ExecutionClass;
  readonly contractDigest: Digest;
  readonly argumentsDigest: Digest;
}

/** Receives an approval after each of its changes; several changes in quick succession may come as the last one. */
export type ApprovalListener = (record: ApprovalRecord) => void;

/**
 * Keeps approvals. Every change is on the disk, together with its audit record, before anybody learns of it. Works the
 * same for several gateways on one database.
 */
export interface ApprovalStore {
  /**
   * Puts a call up for a decision.
   *
   * @throws GatewayError `gateway/approval-exists`; PolicyError `policy/request-invalid`.
   */
  create(approval: NewApproval): Promise<ApprovalRecord>;
  /**
   * Decides. The first decision counts, whichever gateway it comes through.
   *
   * @throws GatewayError `gateway/entry-invalid` for a decision that is none.
   */
  decide(id: string, decision: Decision): Promise<DecideResult>;
  /** Nobody needs the answer any more: the client went away. `false` when it was settled before. */
  cancel(id: string, why: string): Promise<boolean>;
  /**
   * Gives more time to a pending approval; never less.
   *
   * @returns `undefined` when it is not pending.
   */
  extend(id: string, expiresAt: number, by: string): Promise<ApprovalRecord | undefined>;
  /** Uses an approval up. `true` exactly once over all processes, and only for an approved one in its time. */
  consume(id: string): Promise<boolean>;
  /**
   * Waits until an approval is settled. Waiting changes nothing: only a reviewer, `expiresAt` or `cancel` settles.
   *
   * @throws The reason of `signal`; GatewayError `gateway/entry-invalid` for an id that is unknown, `gateway/closed`.
   */
  wait(id: string, signal?: AbortSignal): Promise<ApprovalRecord>;
  /** @throws GatewayError `gateway/record-unreadable` for a record that was tampered with. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** The newest approval of an exact call that is pending, declined or approved and not used, and in its time. */
  findSame(call: SameCall): Promise<ApprovalRecord | undefined>;
  /** Newest first. */
  list(filter?: ApprovalFilter, page?: ApprovalPageRequest): Promise<Page<ApprovalRecord>>;
  /**
   * Calls `listener` after each change from now on, also those of other gateways, in order of `revision`.
   *
   * @param after - Begin with changes after this revision instead.
   * @returns Ends it.
   */
  subscribe(listener: ApprovalListener, after?: number): () => void;
  /** Settles what is overdue, and drops contents that need not be kept. Also done regularly. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
