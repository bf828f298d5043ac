import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Extensions } from './extensions.ts';
import type { Item } from './item.ts';
import type { Protocol } from './protocol.ts';

/**
 * One provider-neutral request to a language model. Plain, frozen data.
 *
 * Absent, `null` and `[]` are three different values wherever a wire tells them apart (tools, instructions, tool
 * choice); nothing here turns one into another.
 */
export interface ModelCall {
  /** The model as the caller named it. */
  readonly model: string;
  /** The leading system and developer texts, each with its role; the only authority over the conversation. */
  readonly instructions?: readonly Instruction[] | null;
  /** The conversation in order. */
  readonly items: readonly Item[];
  readonly tools?: readonly ModelTool[] | null;
  readonly toolChoice?: ToolChoice | null;
  /** `false`: at most one call a turn. */
  readonly parallelToolCalls?: boolean | null;
  readonly responseFormat?: ResponseFormat | null;
  readonly limits?: CallLimits;
  readonly sampling?: Sampling;
  readonly reasoning?: ReasoningSettings | null;
  /** Whether the caller asked for a stream. */
  readonly stream?: boolean | null;
  /** OpenAI Chat: whether the caller asked for the usage chunk at the end of the stream; other wires always send usage. */
  readonly streamUsage?: boolean | null;
  /** The end user as the caller names it, for the provider's abuse monitoring. */
  readonly endUser?: string | null;
  /** Continuation of a stored response; OpenAI Responses only. */
  readonly previousResponseId?: string | null;
  /** Members of the wire request that have no neutral form; carried back only to the same protocol. */
  readonly extensions?: Extensions;
}

/** One system or developer text. */
export interface Instruction {
  readonly role: 'system' | 'developer';
  readonly text: string;
  /**
   * Where the wire carried it, if it has both: the dedicated field (default), or a leading item of the conversation. A hint
   * for the same protocol and not content: losing it is no loss.
   */
  readonly origin?: 'field' | 'item';
  /** Members without a neutral form, for example a cache marker. */
  readonly extensions?: Extensions;
}

/** A tool as offered to a model: a function with a schema, or something only its own provider can run. */
export type ModelTool = FunctionTool | ForeignTool;

/** A function tool. `parameters` is carried as it is, never rebuilt from known keywords. */
export interface FunctionTool {
  readonly kind: 'function';
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: JsonObject | null;
  /** Whether the provider shall constrain its output to the schema. */
  readonly strict?: boolean | null;
  readonly extensions?: Extensions;
}

/** A hosted, server-side or custom tool; it has no equivalent elsewhere and is refused or dropped with a loss there. */
export interface ForeignTool {
  readonly kind: 'foreign';
  readonly protocol: Protocol;
  /** A name for reports. */
  readonly name: string;
  readonly value: JsonValue;
}

/** Which tools the model may or must call. Absent is not the same as `auto`. */
export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'any'; readonly allowed?: readonly string[] }
  /** Exactly this tool. */
  | { readonly mode: 'named'; readonly name: string }
  /** A choice that only its own protocol understands (a hosted or custom tool); refused elsewhere, never widened. */
  | { readonly mode: 'foreign'; readonly protocol: Protocol; readonly value: JsonValue };

/** The form of the answer. */
export type ResponseFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json-object' }
  | {
      readonly kind: 'json-schema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean | null;
    }
  | { readonly kind: 'foreign'; readonly protocol: Protocol; readonly value: JsonValue };

/** Bounds of one answer. */
export interface CallLimits {
  readonly maxOutputTokens?: number | null;
  /** How the caller spelled the limit on OpenAI Chat, which has two members. A hint, not content. */
  readonly spelling?: 'max_tokens' | 'max_completion_tokens';
}

/** How tokens are drawn. */
export interface Sampling {
  readonly temperature?: number | null;
  readonly topP?: number | null;
  readonly topK?: number | null;
  readonly seed?: number | null;
  readonly frequencyPenalty?: number | null;
  readonly presencePenalty?: number | null;
  readonly stop?: readonly string[] | null;
  /** How many alternative answers; only the first one is neutral. */
  readonly candidates?: number | null;
}

/** How much a model may think before it answers. */
export interface ReasoningSettings {
  readonly effort?: string | null;
  /** At most how many tokens; 0 asks for no thinking. */
  readonly budgetTokens?: number | null;
  /** Whether summaries or thoughts are to be shown, in the provider's word; `omitted` where they are not. */
  readonly summary?: string | null;
}
