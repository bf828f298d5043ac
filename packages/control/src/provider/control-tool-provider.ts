import type { JsonObject } from '@toolgate/core';
import type { CheckedControlSpec, ControlSpec } from '../spec/control-spec.ts';
import type { CompletedCall } from './completed-call.ts';

/**
 * One proxy-owned tool. It gets values only: no way to change the request, to run other tools, or to write to the
 * client.
 */
export interface ControlToolProvider {
  /** A stable name, at most 128 bytes; asked for once. */
  id(): string;
  /** What is offered to the model; asked for once. */
  spec(): ControlSpec;
  /**
   * Judges one captured call. A throw, a rejection and an answer that is no outcome all fail the response, with nothing
   * of them in it.
   */
  handle(
    call: CompletedCall,
    meta: ControlMeta,
    options: ControlHandleOptions,
  ): ControlOutcome | PromiseLike<ControlOutcome>;
}

/** What a handler is given besides values. */
export interface ControlHandleOptions {
  /** Aborted at the deadline and when the attempt is over; what is answered later counts for nothing. */
  readonly signal: AbortSignal;
}

/** Where a control call comes from. Ids are opaque; views are copies and carry no authority. */
export interface ControlMeta {
  /** Of the whole request. */
  readonly traceId?: string;
  /** The client's side of the request. */
  readonly aLegId?: string;
  /** The backend's side of this attempt. */
  readonly bLegId?: string;
  /** Which backend the attempt goes to. */
  readonly candidateKey?: string;
  /** Which attempt of the request, from 0. */
  readonly attemptSeq: number;
  /** Calls of other tools in the conversation so far, so that an answer without any work can be told. Default 0. */
  readonly ordinaryCalls?: number;
  /** What the principal may do, as far as a handler may know it; copied and frozen, as the two below. */
  readonly scope?: JsonObject;
  readonly session?: JsonObject;
  readonly workspace?: JsonObject;
}

/** What a handler decided. */
export type ControlOutcome =
  /** Not a valid completion; nothing reaches the client. */
  | { readonly kind: 'invalid'; readonly reasonCode: string; readonly resultText?: '' }
  /** A valid one, with the text for the client. */
  | { readonly kind: 'complete'; readonly reasonCode: string; readonly resultText: string };

/** A provider that was checked: what it said once is what counts. Frozen. */
export interface CheckedControlProvider {
  readonly id: string;
  readonly spec: CheckedControlSpec;
  readonly handle: ControlToolProvider['handle'];
}
