import type { JsonObject } from '@toolgate/core';

// The parts of the Chat Completions wire that this package writes. Type aliases, because an alias of an object type is
// assignable to a JSON object and an interface is not; `chat-wire.test-d.ts` holds them against the official client.

/** A content part of a user, system, developer or tool message. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
    }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' };
    }
  | { readonly type: 'file'; readonly file: ChatFile };

/** The file of a file part. */
export type ChatFile = { readonly file_data?: string; readonly file_id?: string; readonly filename?: string };

/** A content part of an assistant message. */
export type ChatAssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly refusal: string };

/** A call as the model made it; the argument text is encoded once. */
export type ChatToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
};

/** A message of a request. */
export type ChatMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly ChatTextPart[] }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | ChatAssistantMessage
  | {
      readonly role: 'tool';
      readonly tool_call_id: string;
      readonly content: string | readonly ChatTextPart[];
    };

/** A text part. */
export type ChatTextPart = { readonly type: 'text'; readonly text: string };

/** What a model said, as replayed in a request. */
export type ChatAssistantMessage = {
  readonly role: 'assistant';
  readonly content?: string | readonly ChatAssistantPart[] | null;
  readonly tool_calls?: readonly ChatToolCall[];
};

/** A function tool. */
export type ChatTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: JsonObject;
    readonly strict?: boolean | null;
  };
};

/** Which tools may or must be called. */
export type ChatToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | {
      readonly type: 'allowed_tools';
      readonly allowed_tools: {
        readonly mode: 'auto' | 'required';
        readonly tools: readonly {
          readonly type: 'function';
          readonly function: { readonly name: string };
        }[];
      };
    };

/** The form of the answer. */
export type ChatResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly description?: string;
        readonly schema?: JsonObject;
        readonly strict?: boolean | null;
      };
    };

/** A request body without the members that only extensions carry. */
export type ChatRequestBody = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: ChatToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly response_format?: ChatResponseFormat;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly seed?: number | null;
  readonly frequency_penalty?: number | null;
  readonly presence_penalty?: number | null;
  readonly stop?: readonly string[] | null;
  readonly n?: number | null;
  readonly reasoning_effort?: ChatEffort | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage: boolean };
  readonly user?: string;
};

/** The efforts that the official client knows; other words are carried as they are. */
export type ChatEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Why the model stopped. */
export type ChatFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Token counts. */
export type ChatUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number; readonly cache_write_tokens?: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
};

/** A whole answer; its message may have further members that extensions carry. */
export type ChatResponseBody<Message extends JsonObject = ChatResponseMessage> = {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly [
    {
      readonly index: 0;
      readonly message: Message;
      readonly finish_reason: ChatFinishReason;
      readonly logprobs: null;
    },
  ];
  readonly usage?: ChatUsage;
};

/** The message of an answer. `reasoning_content` is no part of the standard; many servers and clients know it. */
export type ChatResponseMessage = {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly refusal: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ChatToolCall[];
};

/** One chunk of a streamed answer. */
export type ChatChunk = {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: 0;
    readonly delta: ChatDelta;
    readonly finish_reason: ChatFinishReason | null;
    readonly logprobs: null;
  }[];
  readonly usage?: ChatUsage | null;
};

/** What a chunk adds. */
export type ChatDelta = {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly refusal?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ChatToolCallDelta[];
};

/** What a chunk adds to one call. */
export type ChatToolCallDelta = {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function: { readonly name?: string; readonly arguments: string };
};

/** The wire's own form of a failure, inside a stream or as a body. */
export type ChatError = {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: null;
    readonly code: string | null;
  };
};
