import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Digest } from '@toolgate/core';
import type { Principal } from '../ports/principal.ts';

/** What policies learn about a client of the MCP surface; the same for all of its requests. Frozen. */
export interface McpCaller {
  readonly principal: Principal;
}

/** One HTTP request to the MCP surface, while it is served. */
export interface McpExchange {
  readonly principal: Principal;
  readonly requestId: string;
  /** Whether calls that needed no approval are audited too. */
  readonly auditAllowed: boolean;
  /** Whether arguments and results are kept in the call log. */
  readonly contents: boolean;
  /** Told of each call. */
  readonly onCall: () => void;
  /** The approval that the call of this request uses up. */
  approval: UsedApproval | undefined;
}

/** What is written down of an approval that a call uses up. */
export interface UsedApproval {
  readonly id: string;
  readonly argumentsDigest: Digest;
  /** The text of what a reviewer wrote instead. */
  readonly edited: string | undefined;
}

/** Where the request that something belongs to is found. */
export type McpExchanges = AsyncLocalStorage<McpExchange>;
