import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { incomingBody } from './incoming-body.ts';
import { CODES, refusal } from './refusal.ts';

/** Answers a request of the Fetch standard. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * A fetch handler as a listener of `node:http`. A client that goes away aborts the request's signal and cancels the
 * body of its answer; an answer is written no faster than it is taken.
 */
export function nodeListener(handle: FetchHandler): RequestListener {
  return (incoming, outgoing) => {
    void serve(handle, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function serve(
  handle: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('The client is gone.', 'AbortError'));
  });
  // A broken connection is told by `close`.
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  const request = toRequest(incoming, gone.signal);
  const response =
    request === undefined
      ? refusal(400, CODES.request, 'Invalid Request: the address cannot be read')
      : await handle(request);
  await write(response, incoming, outgoing, gone.signal);
}

/** `undefined` for an address or header that no URL and no header list takes. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { url = '', method = 'GET', headers: raw } = incoming;
  if (!url.startsWith('/')) return undefined;
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(raw)) {
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined) headers.append(name, each);
    }
    const init = { method, headers, signal };
    const address = new URL(url, `http://${raw.host ?? 'localhost'}`);
    if (method === 'GET' || method === 'HEAD') return new Request(address, init);
    // `duplex` is demanded by the platform and unknown to its types.
    return new Request(address, { ...init, body: incomingBody(incoming), duplex: 'half' } as RequestInit);
  } catch {
    return undefined;
  }
}

async function write(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) headers[name] = value;
  // Who has not said all of it when it is answered is not listened to any more.
  if (!incoming.complete) headers['connection'] = 'close';
  outgoing.writeHead(response.status, headers);
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel(gone.reason).catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  if (gone.aborted) cancel();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!outgoing.write(next.value)) await drained(outgoing, gone);
    }
    outgoing.end();
  } catch {
    // The answer cannot be completed, and what was sent of it must not look complete.
    outgoing.destroy();
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      gone.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    gone.addEventListener('abort', done, { once: true });
    if (gone.aborted) done();
  });
}
