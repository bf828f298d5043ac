import type { JsonObject } from '@toolgate/core';
import type { FinishReason, Usage } from '@toolgate/model';

/** One call that a script proposes. */
export interface ScriptedCall {
  readonly name: string;
  /** Raw argument text, however broken, or an object that is written as JSON. Default: no argument text at all. */
  readonly arguments?: string | JsonObject;
  /** Default: made from turn and place. The empty string is a model that forgot it. */
  readonly id?: string;
}

/** How a scripted turn goes wrong. */
export type ScriptedFault =
  /**
   * The provider answers with an error before anything else; `status` (default 500) decides whether a driver would retry.
   * `headers` are sent by a provider server only.
   */
  | {
      readonly kind: 'error';
      readonly status?: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /**
   * The stream ends in the middle: after what the turn says, without an end; the last call stays open. From a provider
   * server the body just ends, or, with `abrupt`, the connection breaks.
   */
  | { readonly kind: 'cut-off'; readonly abrupt?: boolean }
  /** Nothing more comes until the call is cancelled. */
  | { readonly kind: 'silence' }
  /** After what the turn says comes something that is no event of the stream; `text` is what a provider server sends. */
  | { readonly kind: 'garbage'; readonly text?: string };

/** What a turn wants to see in the request; a request that differs fails loudly. */
export interface ScriptedExpectation {
  /** Text that the last user message contains. */
  readonly userText?: string;
  /** Names of the offered tools, in order. */
  readonly tools?: readonly string[];
  /** Text that the results since the last answer contain, one for each, in order. */
  readonly results?: readonly string[];
}

/** What a scripted model says in one turn, in this order: reasoning, text, calls. */
export interface ScriptedTurn {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly usage?: Partial<Usage>;
  readonly fault?: ScriptedFault;
  readonly expect?: ScriptedExpectation;
}

/** A whole conversation from the model's side, as plain JSON. */
export interface Script {
  readonly turns: readonly ScriptedTurn[];
  /** Characters of one delta. Default 12. */
  readonly pieceLength?: number;
}
