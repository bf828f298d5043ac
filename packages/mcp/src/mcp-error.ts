import { ignoreThrown } from '@toolgate/core';

/**
 * Every code of an {@link McpError}.
 *
 * `definition-invalid`: what a server lists as a tool is no definition at all, or cannot be pinned. `lock-invalid`: a
 * lock file that cannot be read. `lock-edited`: a definition in it does not have its digest. `config-invalid`: a
 * configuration that cannot be read. `config-variable`: a variable in it is not set.
 *
 * Mounting: `options-invalid`: an option of a mount that makes no sense. `unavailable`: a server could not be started or
 * reached. `unauthorized`: a server wants a login. `closed`: the mount was closed. `list-invalid`: a list of tools that
 * does not end, repeats itself, or is no list. `name-collision`: two tools with one name. `message-too-large`, `flood`:
 * a server said more than it may, in one message or unasked. `tool-changed`: a tool is another one than was offered, or
 * gone. `protocol`: a server answered with an error of the protocol. `result-invalid`, `structured-missing`: a result
 * that cannot be used. `timeout`, `interrupted`, `session-lost`: no answer came. `not-answered`: a server asked for
 * something during a call, which the application's hook failed to give or nobody may be asked for.
 *
 * Serving: `serve-options-invalid`: an option of a server that is missing, unknown or out of range. `cancel-ambiguous`: a
 * client cancels by an id that several of its requests in flight have.
 */
export const mcpErrorCodes = [
  'mcp/definition-invalid',
  'mcp/lock-invalid',
  'mcp/lock-edited',
  'mcp/config-invalid',
  'mcp/config-variable',
  'mcp/options-invalid',
  'mcp/unavailable',
  'mcp/unauthorized',
  'mcp/closed',
  'mcp/list-invalid',
  'mcp/name-collision',
  'mcp/message-too-large',
  'mcp/flood',
  'mcp/tool-changed',
  'mcp/protocol',
  'mcp/result-invalid',
  'mcp/structured-missing',
  'mcp/timeout',
  'mcp/interrupted',
  'mcp/session-lost',
  'mcp/not-answered',
  'mcp/serve-options-invalid',
  'mcp/cancel-ambiguous',
] as const;

/** A code of {@link McpError}. */
export type McpErrorCode = (typeof mcpErrorCodes)[number];

/** What an {@link McpError} carries besides its code and message. */
export interface McpErrorOptions {
  /** Where in the file or the definition (RFC 6901), when the fault has a place. */
  readonly pointer?: string | undefined;
  /** What went wrong underneath; for diagnosis, never serialised. */
  readonly cause?: unknown;
}

/**
 * The one error of this package. `message` is safe to log: it holds no secrets, and of foreign text at most a short,
 * escaped quotation.
 */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: McpErrorCode;
  /** Where in the file or the definition (RFC 6901), when the fault has a place. */
  readonly pointer: string | undefined;

  constructor(code: McpErrorCode, message: string, options: McpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    ignoreThrown(options.cause);
    this.code = code;
    this.pointer = options.pointer;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is McpError {
    try {
      if (!(value instanceof Error) || value.name !== 'McpError' || !('code' in value)) return false;
      return mcpErrorCodes.some((code) => code === value.code);
    } catch {
      return false;
    }
  }
}
