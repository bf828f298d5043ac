import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { type Clock, JsonError, type JsonObject, readJson } from '@toolgate/core';
import { CODES } from '../http/refusal.ts';
import { mendMessage } from '../mend-message.ts';
import { type Line, LineReader } from './line-reader.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Bounds and ends of one pipe. */
export interface StdioWireOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  readonly maxMessageDepth: number;
  /** Requests without an answer; more are refused. */
  readonly maxOpenRequests: number;
  /** How long they may still be answered when the input has ended, in milliseconds. */
  readonly drainMs: number;
  readonly clock: Clock;
  /** Called once, when the pipe is given up. */
  readonly onGone: () => void;
}

/**
 * A pipe to one client. Unlike the SDK's own transport it reads every line strictly, answers one that is no message
 * with one error and goes on with the next, and reads nothing while the client does not take its answers. Who has said
 * all that there was to say may still read: what was taken in until then is answered, for a while.
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: StdioWireOptions;
  readonly #lines: LineReader;
  readonly #open = new Set<RequestId>();
  #closed = false;
  /** What was written and is not with the client yet. */
  #unread = 0;
  /** Of what is left when the input has ended. */
  #drain: unknown;

  constructor(options: StdioWireOptions) {
    this.#options = options;
    this.#lines = new LineReader(options.maxMessageBytes);
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.on('data', this.#take);
    input.on('end', this.#endInput);
    input.on('close', this.#loseInput);
    input.on('error', this.#fail);
    output.on('drain', this.#resume);
    output.on('close', this.#end);
    output.on('error', this.#fail);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed || !this.#options.output.writable)
      return Promise.reject(new Error('The client is gone.'));
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#open.delete(message.id);
    return new Promise((resolve, reject) => {
      this.#write(serializeMessage(message), (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
      this.#steer();
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { input, output } = this.#options;
    input.off('data', this.#take);
    input.off('end', this.#endInput);
    input.off('close', this.#loseInput);
    this.#options.clock.clearTimer(this.#drain);
    input.pause();
    output.off('drain', this.#resume);
    output.off('close', this.#end);
    // The listeners for errors stay: a broken pipe is often noticed only after the end.
    this.onclose?.();
    this.#options.onGone();
  }

  readonly #take = (piece: Buffer): void => {
    for (const line of this.#lines.push(piece)) {
      if (this.#closed) return;
      this.#takeLine(line);
    }
    this.#steer();
  };

  readonly #endInput = (): void => {
    const { clock, drainMs } = this.#options;
    const last = this.#lines.end();
    if (last !== undefined) this.#takeLine(last);
    if (this.#closed) return;
    if (drainMs === 0 || this.#isDone()) void this.close();
    else this.#drain = clock.setTimer(() => void this.close(), drainMs);
  };

  /** Behind an end this says nothing more. */
  readonly #loseInput = (): void => {
    if (this.#drain === undefined) void this.close();
  };

  readonly #end = (): void => void this.close();

  readonly #fail = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  readonly #resume = (): void => this.#steer();

  #endIfDone(): void {
    if (this.#drain !== undefined && this.#isDone()) void this.close();
  }

  /** Whoever ends the process next would take with it what is not written. */
  #isDone(): boolean {
    return this.#open.size === 0 && this.#unread === 0;
  }

  #write(line: string, onWritten?: (error: Error | null | undefined) => void): void {
    this.#unread += 1;
    this.#options.output.write(line, (error) => {
      this.#unread -= 1;
      onWritten?.(error);
      this.#endIfDone();
    });
  }

  #takeLine(line: Line): void {
    if (line.kind === 'line') this.#read(line.bytes);
    else
      this.#refuse(CODES.parse, `Parse error: a message has at most ${this.#options.maxMessageBytes} bytes`);
  }

  #read(line: Uint8Array): void {
    // Some runtimes begin what they write with a mark.
    const bytes = BYTE_ORDER_MARK.equals(line.subarray(0, 3)) ? line.subarray(3) : line;
    const { maxMessageDepth: maxDepth } = this.#options;
    let message: JSONRPCMessage;
    try {
      const value = readJson(bytes, { maxBytes: 'none', maxDepth });
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      message = parseJSONRPCMessage(isObject ? mendMessage(value as JsonObject) : value);
    } catch (error) {
      if (JsonError.is(error)) this.#refuse(CODES.parse, `Parse error: ${error.message}`);
      else this.#refuse(CODES.request, 'Invalid Request: the line is not one JSON-RPC message');
      return;
    }
    if (isJSONRPCRequest(message)) {
      // Answers are told apart by the ids of their requests.
      if (this.#open.has(message.id)) {
        this.#refuse(CODES.request, 'Invalid Request: the id of this request is in use');
        return;
      }
      if (this.#open.size >= this.#options.maxOpenRequests) {
        this.#answer({ code: CODES.server, message: 'Too many requests' }, message.id);
        return;
      }
      this.#open.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // A cancelled request gets no answer.
      const id: unknown = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#open.delete(id);
    }
    this.onmessage?.(message);
  }

  /** An error that belongs to no request (JSON-RPC 2.0, section 5: its id is null). */
  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(message));
    this.#answer({ code, message }, null);
  }

  #answer(error: { readonly code: number; readonly message: string }, id: RequestId | null): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }

  /** Reads on only while what comes out of it is taken. */
  #steer(): void {
    if (this.#closed) return;
    const { input, output } = this.#options;
    if (output.writableNeedDrain) input.pause();
    else if (input.isPaused()) input.resume();
  }
}
