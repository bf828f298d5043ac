import type { IncomingMessage } from 'node:http';
import { type JsonValue, readJson } from '@toolgate/core';
import { codecOf, type ModelCall, type Protocol, type RequestTarget, readGeminiPath } from '@toolgate/model';

/** One request that a provider server got. */
export interface ProviderRequest {
  /** With its query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  /** The port of the connection on the client's side: requests with the same one came over the same connection. */
  readonly clientPort: number;
  /** What the body means. */
  readonly call: ModelCall;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;

const PATHS: Readonly<Record<Exclude<Protocol, 'gemini'>, string>> = {
  'openai-chat': '/chat/completions',
  'openai-responses': '/responses',
  anthropic: '/messages',
};

/** What the path of a request says, below any prefix; `undefined` for a path of another protocol. */
export function targetOf(protocol: Protocol, path: string): RequestTarget | undefined {
  if (protocol === 'gemini') return readGeminiPath(path);
  return path.split('?')[0]?.endsWith(PATHS[protocol]) === true ? {} : undefined;
}

/**
 * Reads a request to its end.
 *
 * @throws JsonError or ModelError when it is no request of the protocol.
 */
export async function readRequest(
  message: IncomingMessage,
  protocol: Protocol,
  target: RequestTarget,
): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body = readJson(Buffer.concat(chunks), {
    maxBytes: MAX_BODY_BYTES,
    maxDepth: 256,
    inexactIntegers: 'allow',
    noncharacters: 'allow',
  });
  return Object.freeze({
    path: message.url ?? '/',
    headers: Object.freeze(headersOf(message)),
    body,
    clientPort: message.socket.remotePort ?? 0,
    call: codecOf(protocol).decodeRequest(body, target).value,
  });
}

function headersOf(message: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
}
