import type { FetchLike } from '@modelcontextprotocol/client';
import { type Clock, ignoreThrown } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { askedBy } from './asked-by.ts';
import { eventBody, wholeBody } from './body-reader.ts';

/**
 * A `fetch` whose answers cannot fill the memory: a stream of events may be endless, but each event is bounded, and so
 * is every other body. Reading fails, too, where a message is ambiguous; what has but an odd form is given on as the
 * SDK takes it.
 *
 * A stream that does not end behind the answer that it is for is left a little later: it would hold its connection for
 * ever, and each call would take another one.
 *
 * @param maxBytes - Bytes of one event or of one other body. Beyond, reading fails with `mcp/message-too-large`.
 * @param onRefused - Told before, since who reads a stream does not always say why that failed.
 */
export function boundFetch(
  fetch: FetchLike,
  maxBytes: number,
  onRefused: (error: McpError) => void,
  clock: Clock,
): FetchLike {
  let hears = false;
  return async (url, init) => {
    const asked = askedBy(init);
    const response = withBody(await fetched(fetch, url, init));
    if (asked !== undefined && asked.id === undefined && response.ok) return receipt(response);
    if (asked?.isNotice === true && isFault(response.status)) {
      onRefused(
        new McpError('mcp/protocol', `The server refused a notice with the state ${response.status}.`),
      );
      return receipt(response);
    }
    // Other states are refused by the constructor; such answers have no body to speak of.
    if (
      response.body === null ||
      response.status < 200 ||
      response.status === 204 ||
      response.status === 205
    ) {
      return response;
    }
    const { status, statusText, headers } = response;
    if (status === 304) return response;
    const type = essenceOf(headers);
    if (response.ok && wantsNews(init)) {
      if (type !== '' && type !== EVENTS) return noStream(response);
      hears = true;
    }
    // Where there is such a stream, a server that took a request may answer there.
    const isTaken = asked?.id !== undefined && status === 202 && !hears;
    // A stream that is taken up again goes on from there, also where it breaks before its first event.
    const resumed = new Headers(init?.headers).get('last-event-id');
    let leave: () => void = () => undefined;
    const reader =
      type === EVENTS
        ? eventBody(maxBytes, asked, onRefused, () => linger(clock, () => leave()))
        : wholeBody(maxBytes, response.ok ? asked : undefined);
    const bounded = through(
      response.body,
      new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          leave = () => controller.terminate();
          if (type === EVENTS && resumed !== null)
            controller.enqueue(new TextEncoder().encode(`id: ${resumed}\ndata: \n\n`));
        },
        transform: (piece, controller) => guarded(controller, () => reader.push(piece)),
        flush: (controller) => guarded(controller, () => reader.end()),
      }),
    );
    const given = new Response(bounded, { status: isTaken ? 200 : status, statusText, headers });
    const isOdd = asked?.id !== undefined && response.ok && type !== EVENTS && type !== JSON_TYPE;
    return isOdd ? namedByContent(given, isTaken) : given;
  };

  function guarded(
    controller: TransformStreamDefaultController<Uint8Array>,
    read: () => Iterable<Uint8Array>,
  ): void {
    try {
      for (const piece of read()) controller.enqueue(piece);
    } catch (error) {
      if (!McpError.is(error)) throw error;
      onRefused(error);
      controller.error(error);
    }
  }
}

/** What a `fetch` of the application throws may be a promise, by a slip: the SDK does not hand on all of it. */
async function fetched(fetch: FetchLike, ...given: Parameters<FetchLike>): Promise<Response> {
  try {
    return await fetch(...given);
  } catch (thrown) {
    ignoreThrown(thrown);
    throw thrown;
  }
}

/** As `pipeThrough`, but that it takes what the source fails with. */
function through(
  source: ReadableStream<Uint8Array>,
  { readable, writable }: TransformStream<Uint8Array, Uint8Array>,
): ReadableStream<Uint8Array> {
  source.pipeTo(writable).catch(ignoreThrown);
  return readable;
}

/** How long a stream may stay open behind its answer; one that ends in time keeps its connection for the next call. */
const LINGER_MS = 1_000;

function linger(clock: Clock, leave: () => void): void {
  const timer = clock.setTimer(() => {
    try {
      leave();
    } catch {
      // It was closed or given up meanwhile.
    }
  }, LINGER_MS);
  clock.holdTimer?.(timer, false);
}

const EVENTS = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** The type of a body without its parameters. */
function essenceOf(headers: Headers): string {
  return ((headers.get('content-type') ?? '').split(';')[0] ?? '').trim().toLowerCase();
}

/** What a server that took something may leave out is an empty body. */
function withBody(response: Response): Response {
  const { status, headers, body } = response;
  return status === 202 && body === null
    ? new Response('', { status, headers: new Headers(headers) })
    : response;
}

/** That a message which has no answer arrived: the SDK knows that by one state alone, and servers say it by others. */
function receipt({ headers, body }: Response): Response {
  void body?.cancel().catch(ignoreThrown);
  return new Response(null, { status: 202, headers });
}

/**
 * Whether a server, or what stands before it, has a fault where it gets what has no answer. That is no reason to do without
 * the server; one that wants a login says so.
 */
function isFault(status: number): boolean {
  return status >= 400 && status !== 401 && status !== 403;
}

/** Whether this opens a stream of what a server has to say by itself. */
function wantsNews(init: RequestInit | undefined): boolean {
  return init?.method === 'GET' && new Headers(init.headers).get('accept') === EVENTS;
}

/** That there is no such stream: a page or a greeting is none, and would be taken for one that broke, again and again. */
function noStream({ headers, body }: Response): Response {
  void body?.cancel().catch(ignoreThrown);
  return new Response(null, { status: 405, headers });
}

/**
 * An answer by what it is, where its type is missing or another one.
 *
 * @param isTaken - Whether the server says that it took the request: where no answer is in that, none comes any more.
 */
async function namedByContent(response: Response, isTaken: boolean): Promise<Response> {
  const { status, statusText } = response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  const isJson = /^\s*[[{]/.test(text);
  if (isJson) headers.set('content-type', JSON_TYPE);
  else if (isTaken) headers.set('content-type', EVENTS);
  return new Response(isTaken && !isJson ? '' : text, { status, statusText, headers });
}
