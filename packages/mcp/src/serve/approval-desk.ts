import type { ApprovalRequest, Clock, Digest, ExecuteOptions, JsonObject } from '@toolgate/core';
import { createGrant, systemClock } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

/** A decision about a call that waits for one. */
export type DeskDecision =
  | { readonly kind: 'allow'; readonly arguments?: JsonObject }
  | { readonly kind: 'decline'; readonly reason?: string };

/** A call that waits, or waited, for a decision. */
export interface DeskEntry {
  readonly request: ApprovalRequest;
  /** Absent while nobody has decided. */
  readonly decision?: DeskDecision;
}

/** Which calls are asked for. */
export interface DeskQuery {
  readonly principal: string;
  readonly tool: string;
  /** The exact call; a desk may leave out what is about another one, and need not. Always there from a server. */
  readonly call?: { readonly contractDigest: Digest; readonly argumentsDigest: Digest };
}

/**
 * Where suspended calls wait between two requests of a client. The one that `createApprovalDesk` makes keeps them in
 * memory; an application with a store of its own implements these four.
 */
export interface ApprovalDesk {
  /** Keeps a call whose decision is awaited. `false` when there is no room for it. */
  readonly submit: (request: ApprovalRequest) => boolean | Promise<boolean>;
  /** What is kept of one principal about one tool, expired ones apart. */
  readonly find: (query: DeskQuery) => readonly DeskEntry[] | Promise<readonly DeskEntry[]>;
  /** Decides a call once. `false` for an id that is not known, expired or decided. */
  readonly decide: (approvalId: string, decision: DeskDecision) => boolean | Promise<boolean>;
  /** Hands out a decided call and forgets it, so that one decision is used once. */
  readonly take: (approvalId: string) => DeskEntry | undefined | Promise<DeskEntry | undefined>;
}

/** A desk in memory, and what an application needs to show it. */
export interface MemoryApprovalDesk extends ApprovalDesk {
  readonly submit: (request: ApprovalRequest) => boolean;
  readonly find: (query: DeskQuery) => readonly DeskEntry[];
  readonly decide: (approvalId: string, decision: DeskDecision) => boolean;
  readonly take: (approvalId: string) => DeskEntry | undefined;
  /** Calls that wait for a decision, oldest first. */
  readonly waiting: () => readonly ApprovalRequest[];
}

/** Bounds of a desk in memory. */
export interface ApprovalDeskOptions {
  /** Calls that are kept at the same time. Default 1,000. */
  readonly maxEntries?: number;
  /** Calls of one principal that are kept at the same time. Default 50. */
  readonly maxEntriesPerPrincipal?: number;
  readonly clock?: Clock;
}

/**
 * A desk in memory. What is on it is lost with the process; a call that was suspended never ran, so nothing is unknown.
 *
 * @throws {@link McpError} `mcp/serve-options-invalid`.
 */
export function createApprovalDesk(options: ApprovalDeskOptions = {}): MemoryApprovalDesk {
  const { maxEntries = 1_000, maxEntriesPerPrincipal = 50, clock = systemClock } = options;
  for (const limit of [maxEntries, maxEntriesPerPrincipal]) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new McpError('mcp/serve-options-invalid', 'A limit of a desk is a whole number from 1 on.');
    }
  }
  const entries = new Map<string, DeskEntry>();

  const dropExpired = (): void => {
    const now = clock.now();
    for (const [id, { request }] of entries) {
      if (request.expiresAt !== 'none' && request.expiresAt <= now) entries.delete(id);
    }
  };

  return Object.freeze({
    submit: (request: ApprovalRequest) => {
      dropExpired();
      const own = [...entries.values()].filter((entry) => entry.request.principal === request.principal);
      if (entries.size >= maxEntries || own.length >= maxEntriesPerPrincipal) return false;
      entries.set(request.id, Object.freeze({ request }));
      return true;
    },
    find: ({ principal, tool }: DeskQuery) => {
      dropExpired();
      return [...entries.values()].filter(
        ({ request }) => request.principal === principal && request.tool === tool,
      );
    },
    decide: (approvalId: string, decision: DeskDecision) => {
      dropExpired();
      const entry = entries.get(approvalId);
      if (entry === undefined || entry.decision !== undefined) return false;
      entries.set(
        approvalId,
        Object.freeze({ request: entry.request, decision: Object.freeze({ ...decision }) }),
      );
      return true;
    },
    take: (approvalId: string) => {
      const entry = entries.get(approvalId);
      if (entry?.decision === undefined) return undefined;
      entries.delete(approvalId);
      return entry;
    },
    waiting: () => {
      dropExpired();
      return [...entries.values()]
        .filter((entry) => entry.decision === undefined)
        .map(({ request }) => request);
    },
  });
}

/** A decision in the form in which a gate session takes it. */
export function toExecuteOptions(request: ApprovalRequest, decision: DeskDecision): ExecuteOptions {
  if (decision.kind === 'decline') {
    const { reason } = decision;
    return { decision: { decision: 'decline', ...(reason === undefined ? {} : { reason }) } };
  }
  const { arguments: edited } = decision;
  return { grant: createGrant(request, edited === undefined ? {} : { arguments: edited }) };
}
