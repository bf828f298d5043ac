import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Clock } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

/** How much a server may say unasked. */
export interface GuardOptions {
  /** Messages that answer nothing, and lines that are no message, in one window. */
  readonly maxUnasked: number;
  readonly windowMs: number;
  readonly clock: Clock;
  /** The reason for which the connection was given up, before it closes. */
  readonly onGiveUp: (error: McpError) => void;
}

/** Called when the stream that should bring the answer of one request ended without it. */
export type AnswerLost = () => void;

const watchers = new WeakMap<object, AnswerLost>();

/**
 * A request option by which the guard knows whom to tell that an answer will not come: over HTTP the end of a stream
 * ends nothing in the SDK, and the caller would wait for its timeout.
 */
export function watchAnswer(lost: AnswerLost): (token: string) => void {
  const key = (): void => undefined;
  watchers.set(key, lost);
  return key;
}

/**
 * A transport that gives a server up which floods: what comes unasked is counted, and beyond its share the connection
 * is closed. Everything else passes.
 */
export function guardTransport(inner: Transport, options: GuardOptions): Transport {
  const { maxUnasked, windowMs, clock, onGiveUp } = options;
  const elapsed = clock.elapsed ?? clock.now;
  const answered = new Set<unknown>();
  let unasked = 0;
  let windowEnd = elapsed() + windowMs;
  let given = false;

  const count = (): boolean => {
    if (given) return false;
    const now = elapsed();
    if (now >= windowEnd) {
      unasked = 0;
      windowEnd = now + windowMs;
    }
    unasked += 1;
    if (unasked <= maxUnasked) return true;
    given = true;
    onGiveUp(
      new McpError(
        'mcp/flood',
        `The server sent more than ${maxUnasked} messages unasked in ${windowMs} ms.`,
      ),
    );
    void inner.close().catch(() => undefined);
    return false;
  };

  const guarded: Transport = {
    start: async () => {
      inner.onclose = () => guarded.onclose?.();
      inner.onerror = (error) => {
        if (count()) guarded.onerror?.(error);
      };
      inner.onmessage = (message, extra) => {
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
          if (given) return;
          if (!answered.delete(message.id) && !count()) return;
        } else if (!count()) return;
        guarded.onmessage?.(message, extra);
      };
      await inner.start();
    },
    send: (message, sendOptions) => inner.send(message, watched(message, sendOptions, answered)),
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId;
    },
    ...(inner.hasPerRequestStream === undefined ? {} : { hasPerRequestStream: inner.hasPerRequestStream }),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
  };
  // The members by which the SDK tells one channel from many.
  if ('pid' in inner && 'stderr' in inner) Object.assign(guarded, { pid: null, stderr: null });
  return guarded;
}

/** Notes that a request waits for an answer, and has its caller told when the answer cannot come any more. */
function watched(
  message: JSONRPCMessage,
  options: TransportSendOptions | undefined,
  waiting: Set<unknown>,
): TransportSendOptions | undefined {
  if (!isJSONRPCRequest(message)) return options;
  waiting.add(message.id);
  const token = options?.onresumptiontoken;
  const lost = token === undefined ? undefined : watchers.get(token);
  if (lost === undefined) return options;
  return {
    ...options,
    onRequestStreamEnd: () => {
      if (waiting.delete(message.id)) lost();
    },
  };
}
