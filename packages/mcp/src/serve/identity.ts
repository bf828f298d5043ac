import type { ScopeOptions } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

/** Who a client acts for, as the application established it. Nothing of it comes from a JSON-RPC message. */
export interface Identity<Context = unknown> {
  /** The application's name for the caller: 1 to 256 characters. Sessions and approvals are bound to it. */
  readonly principal: string;
  /** The trusted value that policies and tools get. */
  readonly context: Context;
  /** Removes tools and adds approvals for this caller. */
  readonly narrow?: ScopeOptions<Context>;
}

/** A caller that is known. */
export interface Accepted<Context = unknown> extends Identity<Context> {
  readonly kind: 'accepted';
}

/** A caller that is not let in. */
export interface Refused {
  readonly kind: 'refused';
  /** 401 (the default) for a caller that is not known, 403 for one that may not. */
  readonly status?: 401 | 403;
  /** The value of `WWW-Authenticate`, such as `Bearer resource_metadata="…"` (RFC 9728). Default `Bearer`. */
  readonly challenge?: string;
}

/**
 * Establishes who sends a request, before its body is read. The request it gets has no body. A throw means that it
 * could not decide: the client gets an error and nothing happens.
 */
export type Authenticate<Context = unknown> = (
  request: Request,
) => Accepted<Context> | Refused | Promise<Accepted<Context> | Refused>;

const MAX_PRINCIPAL = 256;

/**
 * A copy of what an application gave as the identity of a caller.
 *
 * @throws {@link McpError} `mcp/serve-options-invalid` for anything but an identity.
 */
export function readIdentity<Context>(value: Identity<Context>): Identity<Context> {
  if (typeof value !== 'object' || value === null) refuse('An identity is { principal, context }.');
  const { principal, context, narrow } = value;
  if (typeof principal !== 'string' || principal === '' || principal.length > MAX_PRINCIPAL) {
    refuse(`A principal is a text of 1 to ${MAX_PRINCIPAL} characters.`);
  }
  if (!principal.isWellFormed()) refuse('A principal is a well-formed text.');
  return Object.freeze({ principal, context, ...(narrow === undefined ? {} : { narrow }) });
}

function refuse(message: string): never {
  throw new McpError('mcp/serve-options-invalid', message);
}
