import type { IncomingMessage } from 'node:http';
import { isJsonObject, JsonError, type JsonObject, readJson } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';
import { findGateway, type TargetOptions } from './admin-target.ts';
import { sendRequest } from './send-request.ts';

/** What a request to the admin API may carry. */
export interface AdminRequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Members that are `undefined` are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** A status besides the good ones whose body is the answer, not an error. */
  readonly also?: number;
  /** How long the whole answer may take. Default 30,000; `none` for what grows with the gateway's history. */
  readonly timeoutMs?: number | 'none';
  /** How long an opened answer may be silent before it counts as broken off. Default: for ever. */
  readonly silenceMs?: number;
}

/** The admin API of one gateway. */
export interface AdminClient {
  /** For messages; safe to show. */
  readonly label: string;
  /**
   * The answer as JSON.
   *
   * @throws CliError `cli/gateway-unreachable`, `cli/gateway-refused`, `cli/gateway-invalid`
   */
  ask(path: string, options?: AdminRequestOptions): Promise<JsonObject>;
  /**
   * The body of a good answer, piece by piece; nothing bounds how long it takes.
   *
   * @param type - The media type that it has to have: something else that answers is no gateway.
   */
  open(path: string, type: string, options?: AdminRequestOptions): Promise<AsyncIterable<Uint8Array>>;
}

const ANSWER_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;

/**
 * Finds a gateway and makes a client for it. No redirect is followed: the key goes to the address that was named.
 *
 * @throws CliError `cli/usage`, `cli/admin-key-missing`, `cli/home-unusable`
 */
export async function createAdminClient(options: TargetOptions, io: CliIo): Promise<AdminClient> {
  const { base, key } = await findGateway(options, io);
  const label = safeText(base.href.replace(/\/$/u, ''), 200);

  const send = async (
    path: string,
    request: AdminRequestOptions,
    signals: readonly AbortSignal[],
  ): Promise<IncomingMessage> => {
    const url = new URL(path, base);
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    let response: IncomingMessage;
    try {
      response = await sendRequest(url, {
        method: request.method ?? 'GET',
        signals,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${key}`,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
    } catch (cause) {
      io.signal.throwIfAborted();
      const isLate = signals.some(({ aborted }) => aborted);
      throw unreachable(label, isLate ? 'does not answer' : 'cannot be reached', cause);
    }
    const status = statusOf(response);
    if (status < 300 || status > 399) return response;
    response.destroy();
    throw unreachable(label, `sends elsewhere (status ${status})`, undefined);
  };
  const pieces = async function* (response: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of response) yield piece;
    } catch (cause) {
      io.signal.throwIfAborted();
      throw unreachable(label, 'broke its answer off', cause);
    }
  };
  const check = async (response: IncomingMessage, also?: number): Promise<IncomingMessage> => {
    const status = statusOf(response);
    if ((status >= 200 && status < 300) || status === also) return response;
    const value = await readAll(pieces(response), MAX_ERROR_BYTES)
      .then(readAnswer)
      .catch(() => undefined);
    throw refused(label, status, value);
  };

  return {
    label,
    async ask(path, request = {}) {
      const { timeoutMs = ANSWER_MS } = request;
      const late = timeoutMs === 'none' ? [] : [AbortSignal.timeout(timeoutMs)];
      const response = await check(await send(path, request, [io.signal, ...late]), request.also);
      const value = readAnswer(await readAll(pieces(response), MAX_BYTES));
      if (value === undefined) throw invalid(label);
      return value;
    },
    async open(path, type, request = {}) {
      const headers = { ...request.headers, accept: type };
      const response = await check(await send(path, { ...request, headers }, [io.signal]));
      if (response.headers['content-type']?.split(';')[0]?.trim() !== type) {
        response.destroy();
        throw invalid(label);
      }
      if (request.silenceMs !== undefined) response.setTimeout(request.silenceMs, () => response.destroy());
      return pieces(response);
    },
  };
}

function statusOf({ statusCode }: IncomingMessage): number {
  return statusCode ?? 0;
}

async function readAll(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new CliError('cli/gateway-invalid', 'The answer of the gateway is too large.');
    all.push(piece);
  }
  return Buffer.concat(all);
}

function readAnswer(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = readJson(bytes, { maxBytes: MAX_BYTES, maxDepth: 256 });
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (JsonError.is(error)) return undefined;
    throw error;
  }
}

function refused(label: string, status: number, value: JsonObject | undefined): CliError {
  const error = value?.['error'];
  if (!isJsonObject(error) || typeof error['message'] !== 'string')
    return new CliError('cli/gateway-invalid', `What is at ${label} is no gateway (status ${status}).`);
  const message = safeText(error['message'], 600);
  return new CliError(
    'cli/gateway-refused',
    `${message} [${safeText(typeof error['code'] === 'string' ? error['code'] : 'unknown', 60)}]`,
  );
}

function unreachable(label: string, what: string, cause: unknown): CliError {
  const code = cause instanceof Error && 'code' in cause ? ` (${safeText(String(cause.code), 40)})` : '';
  return new CliError('cli/gateway-unreachable', `The gateway at ${label} ${what}${code}.`, { cause });
}

function invalid(label: string): CliError {
  return new CliError('cli/gateway-invalid', `The answer of the gateway at ${label} cannot be read.`);
}
