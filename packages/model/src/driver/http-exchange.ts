import { ModelError } from '../model-error.ts';
import { requestUrl } from './endpoint.ts';
import { httpError, readRequestId } from './http-error.ts';
import type { HttpModelSettings } from './http-model-config.ts';
import { isRetryable, retryAfterMs, retryDelayMs } from './retry.ts';
import { cancelled, type Watchdog } from './watchdog.ts';

/** One request as it goes out. */
export interface HttpRequest {
  readonly path: string;
  readonly body: string;
  readonly accept: string;
}

/**
 * Sends a request until it is answered with success, an attempt fails for good, or the attempts are used up. Nothing
 * of an answer has been used before this returns, so sending again is safe for the caller (not for its bill).
 *
 * @throws ModelError of the last attempt.
 */
export async function exchange(
  request: HttpRequest,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    let asked: number | undefined;
    let failure: ModelError;
    try {
      const response = await send(request, settings, watchdog);
      if (response.ok) return response;
      asked = retryAfterMs(response.headers.get('retry-after'), settings.clock.now());
      failure = await httpError(response, settings.secrets);
    } catch (error) {
      failure = watchdog.reason() ?? connectionError(error);
    }
    if (attempt >= settings.retry.attempts || !isRetryable(failure)) throw failure;
    const delay = retryDelayMs(attempt, asked, settings.retry, settings.random);
    if (delay === undefined) throw failure;
    await pause(delay, settings, watchdog);
  }
}

async function send(
  request: HttpRequest,
  settings: HttpModelSettings,
  watchdog: Watchdog,
): Promise<Response> {
  watchdog.expect('an answer', settings.timeouts.firstEventMs);
  const response = await settings.fetch(requestUrl(settings.baseUrl, request.path), {
    method: 'POST',
    headers: { ...settings.headers, accept: request.accept },
    body: request.body,
    signal: watchdog.signal,
    // A redirect would carry prompts and keys to an address nobody configured.
    redirect: 'manual',
  });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const requestId = readRequestId(response.headers);
    throw new ModelError(
      'model/provider-error',
      `the provider redirects (status ${response.status}); set baseUrl to the final address`,
      {
        status: response.status,
        ...(requestId === undefined ? {} : { requestId }),
      },
    );
  }
  return response;
}

/** What a failed `fetch` means, told by the code of its cause and never by its text, which may hold addresses. */
function connectionError(error: unknown): ModelError {
  if (ModelError.is(error)) return error;
  const code = systemCode(error);
  const hint =
    code === 'ECONNREFUSED'
      ? 'nothing listens at the base URL'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'the host of the base URL was not found'
        : code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
          ? 'the connection was closed before an answer'
          : 'no connection could be made';
  return new ModelError(
    'model/connection-failed',
    `Could not reach the provider: ${hint}${code === undefined ? '' : ` (${code})`}.`,
    {
      cause: error,
    },
  );
}

function systemCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 4 && typeof current === 'object' && current !== null; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    current = cause;
  }
  return undefined;
}

function pause(ms: number, { clock }: HttpModelSettings, watchdog: Watchdog): Promise<void> {
  watchdog.expect('an answer', 'none');
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clock.clearTimer(timer);
      reject(watchdog.reason() ?? cancelled());
    };
    const timer = clock.setTimer(() => {
      watchdog.signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (watchdog.signal.aborted) onAbort();
    else watchdog.signal.addEventListener('abort', onAbort, { once: true });
  });
}
