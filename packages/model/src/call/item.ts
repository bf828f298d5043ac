import type { JsonValue } from '@toolgate/core';
import type { Extensions } from './extensions.ts';
import type { Protocol } from './protocol.ts';

/** One entry of a conversation. Order is meaning: what a model said in one turn stands together. */
export type Item = MessageItem | ToolCallItem | ToolResultItem | ReasoningItem | ForeignItem;

/** Something said. System and developer messages in mid-conversation keep their role. */
export interface MessageItem {
  readonly kind: 'message';
  readonly role: 'user' | 'assistant' | 'system' | 'developer';
  readonly parts: readonly ContentPart[];
  /** The provider's id of the item, where it gives one. */
  readonly id?: string;
  readonly extensions?: Extensions;
}

/** A call a model made. */
export interface ToolCallItem {
  readonly kind: 'tool-call';
  /** Pairs the call with its result. */
  readonly callId: string;
  readonly name: string;
  /** Argument text exactly as the model wrote it, encoded once. */
  readonly arguments: string;
  /** The provider's id of the item (OpenAI Responses); never used for pairing. */
  readonly id?: string;
  /** A thought signature bound to this call (Gemini). */
  readonly signature?: OpaqueReasoning;
  readonly extensions?: Extensions;
}

/** The one result of one call. */
export interface ToolResultItem {
  readonly kind: 'tool-result';
  readonly callId: string;
  /** The tool's name, where the wire carries it. */
  readonly name?: string;
  readonly parts: readonly ContentPart[];
  /** A structured value beside or instead of the parts, where the wire has one. */
  readonly structured?: JsonValue;
  /** Whether the tool failed. Absent and `false` mean the same. */
  readonly isError?: boolean;
  readonly extensions?: Extensions;
}

/** What a model thought; replayed verbatim, and only to the route it came from. */
export interface ReasoningItem {
  readonly kind: 'reasoning';
  readonly text?: string;
  /** Summaries, where the provider gives those instead of the text. */
  readonly summary?: readonly string[];
  readonly opaque?: OpaqueReasoning;
  readonly id?: string;
  readonly extensions?: Extensions;
}

/** A signature or encrypted text that only its own provider understands. Byte-identical on replay. */
export interface OpaqueReasoning {
  readonly protocol: Protocol;
  readonly form: 'signature' | 'encrypted' | 'redacted';
  readonly value: string;
}

/** An item without a neutral form (server-side tool use, a stored reference); kept for replay to its own protocol. */
export interface ForeignItem {
  readonly kind: 'foreign';
  /** Who understands `value`: a wire protocol, or the language models of the AI SDK. */
  readonly protocol: Protocol | 'ai-sdk';
  readonly role: 'user' | 'assistant';
  readonly value: JsonValue;
}

/** A piece of a message or of a tool result. */
export type ContentPart = TextContent | RefusalContent | MediaContent | ForeignContent;

/** Text. */
export interface TextContent {
  readonly kind: 'text';
  readonly text: string;
  readonly extensions?: Extensions;
}

/** A model's refusal in its own words; not an answer. */
export interface RefusalContent {
  readonly kind: 'refusal';
  readonly text: string;
}

/** An image, sound or document, inline or by address. */
export interface MediaContent {
  readonly kind: 'image' | 'audio' | 'file';
  readonly source:
    | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
    | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
    | { readonly kind: 'file-id'; readonly protocol: Protocol; readonly id: string }
    | { readonly kind: 'text'; readonly mediaType: string; readonly text: string };
  readonly name?: string;
  /** Resolution hint of OpenAI (`low`, `high`, `auto`). */
  readonly detail?: string;
  readonly extensions?: Extensions;
}

/** A part without a neutral form. */
export interface ForeignContent {
  readonly kind: 'foreign';
  readonly protocol: Protocol;
  readonly value: JsonValue;
}
