import { ModelError } from '../model-error.ts';
import { connectionError } from './connection-error.ts';
import { requestUrl } from './endpoint.ts';
import { readRequestId } from './http-error.ts';
import type { HttpModelSettings } from './http-model-config.ts';
import { closeReader } from './read-bounded.ts';
import { untilAborted } from './until-aborted.ts';

/** One request as it goes out. */
export interface HttpRequest {
  readonly path: string;
  readonly body: string;
}

/**
 * Sends a request once.
 *
 * @returns The answer, whatever its status; never a redirect.
 * @throws ModelError `model/connection-failed`, or `model/http-status` for a redirect.
 */
export async function sendRequest(
  request: HttpRequest,
  settings: HttpModelSettings,
  signal: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    const sent = settings.fetch(requestUrl(settings.baseUrl, request.path), {
      method: 'POST',
      headers: { ...settings.headers, accept: 'text/event-stream, application/json' },
      body: request.body,
      signal,
      // A redirect would carry prompts and keys to an address that nobody configured.
      redirect: 'manual',
    });
    response = await untilAborted(sent, signal, ({ body }) => closeReader(body?.getReader()));
  } catch (error) {
    throw connectionError(error);
  }
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return response;
  closeReader(response.body?.getReader());
  const requestId = readRequestId(response.headers, settings.secrets);
  throw new ModelError(
    'model/http-status',
    `The provider redirects (status ${response.status}); set baseUrl to the final address.`,
    { status: response.status, ...(requestId === undefined ? {} : { requestId }) },
  );
}
