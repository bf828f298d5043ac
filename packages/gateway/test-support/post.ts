import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { CLIENT_KEY } from './gateway-fixture.ts';

/** What came back, byte by byte. */
export interface RawAnswered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the connection broke before the body was whole. */
  readonly broken: boolean;
}

/** Settings of one request. */
export interface PostOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Breaks the connection. */
  readonly signal?: AbortSignal;
}

/** An answer that has begun. */
export interface OpenAnswer {
  readonly response: IncomingMessage;
  /** Reads to the end. */
  readonly rest: () => Promise<RawAnswered>;
  /** Breaks the connection. */
  readonly leave: () => void;
}

/** Sends a body and waits for the headers of the answer. */
export function openPost(
  url: string,
  body: string | Uint8Array,
  options: PostOptions = {},
): Promise<OpenAnswer> {
  const { headers, key = CLIENT_KEY, method = 'POST', signal } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, {
      method,
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      // From here on a broken connection is told by the answer.
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      resolve({ response, rest: () => readRest(response), leave: () => request.destroy() });
    });
    request.end(body);
  });
}

function readRest(response: IncomingMessage): Promise<RawAnswered> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('close', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        broken: !response.complete,
      }),
    );
  });
}

/** Sends a body and reads the whole answer. */
export async function post(
  url: string,
  body: string | Uint8Array,
  options?: PostOptions,
): Promise<RawAnswered> {
  return (await openPost(url, body, options)).rest();
}
