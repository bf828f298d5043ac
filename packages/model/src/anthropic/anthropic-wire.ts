import type { JsonObject, JsonValue } from '@toolgate/core';

// The parts of the Messages wire that this package writes. Type aliases, because an alias of an object type is
// assignable to a JSON object and an interface is not; `anthropic-wire.test-d.ts` holds them against the official client.

/** A text block. */
export type AnthropicText = { readonly type: 'text'; readonly text: string };

/** An image block. */
export type AnthropicImage = {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: AnthropicImageType; readonly data: string }
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'file'; readonly file_id: string };
};

/** The images that this protocol takes inline. */
export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** A document block. */
export type AnthropicDocument = {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'file'; readonly file_id: string };
  readonly title?: string;
};

/** A block of a user message or of a tool's result. */
export type AnthropicContent = AnthropicText | AnthropicImage | AnthropicDocument;

/** The result of one call. */
export type AnthropicToolResult<Block = AnthropicContent> = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
};

/** A call. */
export type AnthropicToolUse = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

/** What a model thought; the signature proves that it did. */
export type AnthropicThinking = {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
};

/** A thought that only the provider can read. */
export type AnthropicRedacted = { readonly type: 'redacted_thinking'; readonly data: string };

/** A block of an assistant message. */
export type AnthropicAnswerBlock = AnthropicText | AnthropicToolUse | AnthropicThinking | AnthropicRedacted;

/** A message of a request. */
export type AnthropicMessage =
  | { readonly role: 'user'; readonly content: readonly (AnthropicContent | AnthropicToolResult)[] }
  | { readonly role: 'assistant'; readonly content: readonly AnthropicAnswerBlock[] }
  | { readonly role: 'system'; readonly content: readonly AnthropicText[] };

/** A client tool. */
export type AnthropicTool = {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: JsonValue };
  readonly strict?: boolean;
};

/** Which tools may or must be called. */
export type AnthropicToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'none' };

/** The efforts that this protocol knows. */
export type AnthropicEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** How the model thinks. */
export type AnthropicThinkingConfig =
  | {
      readonly type: 'enabled';
      readonly budget_tokens: number;
      readonly display?: 'summarized' | 'omitted' | null;
    }
  | { readonly type: 'adaptive'; readonly display?: 'summarized' | 'omitted' | null }
  | { readonly type: 'disabled' };

/** A request body without the members that only extensions carry. */
export type AnthropicRequestBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly AnthropicText[];
  readonly messages: readonly AnthropicMessage[];
  readonly tools?: readonly AnthropicTool[];
  readonly tool_choice?: AnthropicToolChoice;
  readonly thinking?: AnthropicThinkingConfig;
  readonly output_config?: {
    readonly effort?: AnthropicEffort;
    readonly format?: { readonly type: 'json_schema'; readonly schema: JsonObject };
  };
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  readonly metadata?: { readonly user_id: string };
  readonly stream?: boolean;
};

/** Why the model stopped. */
export type AnthropicStopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

/** Counted tokens; `input_tokens` leaves out what the cache gave or took. */
export type AnthropicUsage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
  readonly output_tokens_details: { readonly thinking_tokens: number } | null;
};

/** A response body without the members that only extensions carry. */
export type AnthropicResponseBody = {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly JsonObject[];
  readonly stop_reason: AnthropicStopReason;
  readonly stop_sequence: string | null;
  readonly usage: AnthropicUsage;
};

/** An error body, and the data of an error event. */
export type AnthropicError = {
  readonly type: 'error';
  readonly error: { readonly type: string; readonly message: string };
};
