import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { type Clock, ignoreThrown } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { mendHandshake } from './mend-handshake.ts';
import { answeredBy, unusableAnswer } from './unusable-answer.ts';

/** How much a server may say unasked. */
export interface GuardOptions {
  /** Messages that answer nothing, and lines that are no message, in one window. */
  readonly maxUnasked: number;
  readonly windowMs: number;
  readonly clock: Clock;
  /** The reason for which the connection was given up, before it closes. */
  readonly onGiveUp: (error: McpError) => void;
  /** What comes before the client closes the connection. Never rejects. */
  readonly beforeClose?: () => Promise<void>;
}

/** What is to be told of the answer to one request, beside the answer. */
export interface AnswerWatch {
  /** The stream that should bring it ended without it. */
  readonly onLost?: () => void;
  /** The entries of a list of tools, as received. The client gets the answer without them. */
  readonly onTools?: (tools: readonly unknown[]) => void;
  /** The result of a call, as received. The client gets the answer with nothing in it. */
  readonly onResult?: (result: Readonly<Record<string, unknown>>) => void;
}

const watches = new WeakMap<object, AnswerWatch>();
/** Stands for the handshake, whose answer is mended. */
const HANDSHAKE: AnswerWatch = Object.freeze({});

/**
 * A request option by which the guard knows whom to tell. Over HTTP the end of a stream ends nothing in the SDK, and the
 * caller would wait for its timeout; and the SDK's schemas refuse a whole page of tools for one entry, which would cost
 * a server all of them, and a whole result for one block or a `null`, which would lose what a tool has done.
 */
export function watchAnswer(watch: AnswerWatch): (token: string) => void {
  const key = (): void => undefined;
  watches.set(key, watch);
  return key;
}

/**
 * A transport that gives a server up which floods: what comes unasked is counted, and beyond its share the connection
 * is closed. Everything else passes.
 */
export function guardTransport(inner: Transport, options: GuardOptions): Transport {
  const { maxUnasked, windowMs, clock, onGiveUp } = options;
  const elapsed = clock.elapsed ?? clock.now;
  const waiting = new Map<unknown, AnswerWatch | undefined>();
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
    void closeTransport(inner);
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
          const id = idAsSent(message.id, waiting);
          const watch = waiting.get(id);
          if (!waiting.delete(id) && !count()) return;
          guarded.onmessage?.(handOver(id === message.id ? message : { ...message, id }, watch), extra);
          return;
        }
        const answered = idAsSent(answeredBy(message), waiting);
        if (answered !== undefined && !given && waiting.delete(answered))
          guarded.onmessage?.(unusableAnswer(answered), extra);
        else if (count()) guarded.onmessage?.(message, extra);
      };
      await taking(() => inner.start());
    },
    send: (message, sendOptions) =>
      taking(() =>
        inner.send(
          message,
          watched(message, sendOptions, waiting, (id) => guarded.onmessage?.(unusableAnswer(id))),
        ),
      ),
    close: async () => {
      await options.beforeClose?.();
      // The SDK does not always wait for it: a failure would be nobody's.
      await closeTransport(inner);
    },
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

/** Closes a transport that an application may have made. Never rejects. */
export async function closeTransport(transport: Pick<Transport, 'close'>): Promise<void> {
  try {
    await transport.close();
  } catch (thrown) {
    ignoreThrown(thrown);
  }
}

/** What a transport throws comes through as it is, and where that is a promise, by a slip, it ends no process. */
async function taking<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    ignoreThrown(thrown);
    throw thrown;
  }
}

/** The id as it was sent: some servers write a number as a text. */
function idAsSent<Id extends string | number | undefined>(
  id: Id,
  waiting: ReadonlyMap<unknown, unknown>,
): Id | number {
  if (typeof id !== 'string' || waiting.has(id)) return id;
  const sent = Number(id);
  return String(sent) === id && waiting.has(sent) ? sent : id;
}

/**
 * Notes that a request waits for an answer, and has its caller told when the answer cannot come any more.
 *
 * @param fail - Answers a request for whose caller nobody watches.
 */
function watched(
  message: JSONRPCMessage,
  options: TransportSendOptions | undefined,
  waiting: Map<unknown, AnswerWatch | undefined>,
  fail: (id: string | number) => void,
): TransportSendOptions | undefined {
  if (!isJSONRPCRequest(message)) {
    // Nobody waits any more for the answer to what was cancelled.
    if ('method' in message && message.method === 'notifications/cancelled')
      waiting.delete(message.params?.['requestId']);
    return options;
  }
  const { id, method } = message;
  const token = options?.onresumptiontoken;
  const watch = method === 'initialize' ? HANDSHAKE : token === undefined ? undefined : watches.get(token);
  waiting.set(id, watch);
  // Its stream is the answer.
  if (method === 'subscriptions/listen') return options;
  return {
    ...options,
    onRequestStreamEnd: () => {
      if (!waiting.delete(id)) return;
      if (watch?.onLost === undefined) fail(id);
      else watch.onLost();
    },
  };
}

/** What the newest revision wants of a list, and some of its servers leave out. Nothing is cached by it. */
const UNCACHED = Object.freeze({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });

/** Hands what is for a watch over to it, and leaves the client what its schemas take. */
function handOver<Message extends JSONRPCMessage>(message: Message, watch: AnswerWatch | undefined): Message {
  if (watch === undefined || !isJSONRPCResultResponse(message)) return message;
  const { result } = message;
  if (watch === HANDSHAKE) return { ...message, result: mendHandshake(result) };
  const { tools, resultType, nextCursor } = result;
  const isComplete = resultType === undefined || resultType === 'complete';
  if (watch.onTools !== undefined && Array.isArray(tools) && isComplete) {
    watch.onTools(tools);
    const more = nextCursor === undefined || nextCursor === null ? {} : { nextCursor };
    return { ...message, result: { ...UNCACHED, ...more, tools: [] } };
  }
  // What asks for something first is for the client, and so is what stands for an unusable answer, whose kind is `null`.
  if (watch.onResult === undefined || resultType === null || resultType === 'input_required') return message;
  watch.onResult(result);
  return { ...message, result: { resultType: 'complete', content: [] } };
}
