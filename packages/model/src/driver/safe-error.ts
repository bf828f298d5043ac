import { ModelError } from '../model-error.ts';
import { redactSecrets } from './redact-secrets.ts';

const MAX_CAUSES = 4;

/**
 * The same error with no place left in which a secret could be: texts redacted, and causes, which may hold whole
 * requests, reduced to name, code and redacted message.
 */
export function safeError(error: ModelError, secrets: readonly string[]): ModelError {
  const { pointer, status, requestId, providerCode } = error;
  const cause = error.cause === undefined ? undefined : safeCause(error.cause, secrets, MAX_CAUSES);
  return new ModelError(error.code, redactSecrets(error.message, secrets), {
    ...(pointer === undefined ? {} : { pointer }),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(providerCode === undefined ? {} : { providerCode: redactSecrets(providerCode, secrets) }),
    ...(cause === undefined ? {} : { cause }),
  });
}

function safeCause(value: unknown, secrets: readonly string[], left: number): Error {
  const clean = (text: unknown): string => (typeof text === 'string' ? redactSecrets(text, secrets) : '');
  let name = 'Error';
  let message = 'something that is no error was thrown';
  let code: string | undefined;
  let cause: unknown;
  try {
    if (value instanceof Error) {
      name = clean(value.name);
      message = clean(value.message);
      code = systemCode(value);
      cause = value.cause;
    }
  } catch {
    message = 'an error that cannot be read was thrown';
  }
  const inner = cause === undefined || left <= 1 ? undefined : safeCause(cause, secrets, left - 1);
  const error = new Error(message, inner === undefined ? undefined : { cause: inner });
  error.name = name;
  return code === undefined ? error : Object.assign(error, { code });
}

/** The platform's code for a failed connection (`ECONNREFUSED`), of an error or what caused it. */
export function systemCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    current = cause;
  }
  return undefined;
}
