import type { Fetch } from '../src/driver/http-model-config.ts';

/** One request that a fake `fetch` got. */
export interface FetchedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What a fake `fetch` does with one request. */
export type FetchStep = (request: FetchedRequest) => Response | Promise<Response>;

/** A `fetch` that takes its steps one after the other, and remembers what it was asked. */
export interface FakeFetch {
  readonly fetch: Fetch;
  readonly requests: readonly FetchedRequest[];
}

/** Makes a fake `fetch`; a request too many fails like a broken connection. */
export function createFakeFetch(...steps: readonly FetchStep[]): FakeFetch {
  const requests: FetchedRequest[] = [];
  return {
    requests,
    fetch: async (url, init) => {
      const request: FetchedRequest = {
        url,
        headers: init.headers as Record<string, string>,
        body: typeof init.body === 'string' ? init.body : '',
        signal: init.signal ?? new AbortController().signal,
      };
      requests.push(request);
      const step = steps[requests.length - 1];
      if (step === undefined) throw new TypeError('one request too many');
      return step(request);
    },
  };
}

/** A body that says what it is told, when it is told. */
export interface FakeBody {
  readonly response: Response;
  write(text: string): void;
  end(): void;
  break(error: unknown): void;
  /** Whether the reader closed it. */
  readonly cancelled: boolean;
  /** How many pieces were asked for. */
  readonly pulls: number;
}

/** Makes the answer with such a body. It takes one piece ahead of its reader, like a small socket. */
export function createFakeBody(headers: Readonly<Record<string, string>> = {}): FakeBody {
  const encoder = new TextEncoder();
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sink = controller;
    },
    pull: () => {
      pulls += 1;
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return {
    response: new Response(stream, { headers: { 'content-type': 'text/event-stream', ...headers } }),
    write: (text) => sink?.enqueue(encoder.encode(text)),
    end: () => sink?.close(),
    break: (error) => sink?.error(error),
    get cancelled() {
      return cancelled;
    },
    get pulls() {
      return pulls;
    },
  };
}

/** A failed connection as the platform throws it. */
export function connectionFailure(code: string, message = 'connect failed'): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}
