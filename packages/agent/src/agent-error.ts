import { ignoreThrown } from '@toolgate/core';

/** Every code of an {@link AgentError}. */
export const agentErrorCodes = [
  'agent/options-invalid',
  'agent/input-invalid',
  'agent/state-invalid',
  'agent/state-foreign',
  'agent/decision-invalid',
  'agent/stream-used',
  'agent/closed',
] as const;

/** A code of {@link AgentError}. */
export type AgentErrorCode = (typeof agentErrorCodes)[number];

/**
 * Thrown for misuse of an agent and for states that cannot be resumed. How a run ends is a result, not an error.
 * `message` is safe to log.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    ignoreThrown(options?.cause);
    this.code = code;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. */
  static is(value: unknown): value is AgentError {
    return (
      value instanceof Error &&
      value.name === 'AgentError' &&
      'code' in value &&
      agentErrorCodes.some((code) => code === value.code)
    );
  }
}
