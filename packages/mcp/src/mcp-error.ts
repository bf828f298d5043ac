/**
 * Every code of an {@link McpError}.
 *
 * `definition-invalid`: what a server lists as a tool is no definition at all, or cannot be pinned. `lock-invalid`: a
 * lock file that cannot be read. `lock-edited`: a definition in it does not have its digest. `config-invalid`: a
 * configuration that cannot be read. `config-variable`: a variable in it is not set.
 */
export const mcpErrorCodes = [
  'mcp/definition-invalid',
  'mcp/lock-invalid',
  'mcp/lock-edited',
  'mcp/config-invalid',
  'mcp/config-variable',
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
