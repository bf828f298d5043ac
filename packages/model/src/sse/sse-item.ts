/** One dispatched event of an event stream. */
export interface SseMessage {
  readonly kind: 'message';
  /** The `event` field; `''` when there was none (the standard's `message`). */
  readonly event: string;
  /** All `data` lines joined with line feeds. */
  readonly data: string;
  /** The last `id` field seen so far; `''` when there was none. */
  readonly id: string;
  /** `false`: the input ended before the blank line that ends an event, so the message may be cut off. */
  readonly terminated: boolean;
}

/** Why an event stream cannot be read on. */
export type SseFaultCode = 'sse/bad-utf8' | 'sse/event-too-large';

/** The end of a stream that broke the rules or a bound; nothing comes after it. */
export interface SseFault {
  readonly kind: 'fault';
  readonly code: SseFaultCode;
}

/** What a parser finds in a stream. */
export type SseItem = SseMessage | SseFault;
