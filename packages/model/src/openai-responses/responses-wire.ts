import type { JsonObject } from '@toolgate/core';

// The parts of the Responses wire that this package writes; `responses-wire.test-d.ts` holds them against the official
// client. Type aliases, because an alias of an object type is assignable to a JSON object and an interface is not.

/** A part of something a user, an operator or a tool said. */
export type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | ({ readonly type: 'input_image'; readonly detail: InputDetail } & (
      | { readonly image_url: string }
      | { readonly file_id: string }
    ))
  | ({ readonly type: 'input_file'; readonly filename?: string } & (
      | { readonly file_data: string }
      | { readonly file_url: string }
      | { readonly file_id: string }
    ));

/** The resolution at which an image is looked at. */
export type InputDetail = 'auto' | 'low' | 'high' | 'original';

/** A part of an answer. */
export type OutputPart =
  | { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly never[] }
  | { readonly type: 'refusal'; readonly refusal: string };

/** A message that is no replayed answer with an id. */
export type InputMessage = {
  readonly type: 'message';
  readonly role: 'user' | 'system' | 'developer' | 'assistant';
  readonly content: string | readonly InputPart[];
};

/** A message of an answer. */
export type OutputMessage = {
  readonly type: 'message';
  readonly id: string;
  readonly role: 'assistant';
  readonly status: ItemStatus;
  readonly content: readonly OutputPart[];
};

/** How far an item is. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** A call as the model made it; the argument text is encoded once. */
export type FunctionCall = {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly id?: string;
  readonly status?: ItemStatus;
};

/** The result of a call; correlated by `call_id` only. */
export type FunctionCallOutput = {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | readonly InputPart[];
};

/** What a model thought. */
export type Reasoning = {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly content?: readonly { readonly type: 'reasoning_text'; readonly text: string }[];
  readonly encrypted_content?: string;
};

/** An item that this package writes into a request. */
export type InputItem = InputMessage | OutputMessage | FunctionCall | FunctionCallOutput | Reasoning;

/** A function tool. `strict: null` leaves the decision to the provider, which prefers strict. */
export type ResponsesTool = {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject | null;
  readonly strict: boolean | null;
};

/** Which tools may or must be called. */
export type ResponsesToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly name: string }
  | {
      readonly type: 'allowed_tools';
      readonly mode: 'auto' | 'required';
      readonly tools: readonly { readonly type: 'function'; readonly name: string }[];
    };

/** The form of the answer. */
export type ResponsesFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly schema: JsonObject;
      readonly description?: string;
      readonly strict?: boolean | null;
    };

/** A request body without the members that only extensions carry. */
export type ResponsesRequestBody = {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly instructions?: string | null;
  readonly tools?: readonly ResponsesTool[];
  readonly tool_choice?: ResponsesToolChoice;
  readonly parallel_tool_calls?: boolean | null;
  readonly text?: { readonly format: ResponsesFormat };
  readonly max_output_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly reasoning?: {
    readonly effort?: 'low' | 'medium' | 'high' | null;
    readonly summary?: 'auto' | 'concise' | 'detailed' | null;
  } | null;
  readonly previous_response_id?: string | null;
  readonly stream?: boolean | null;
  readonly user?: string;
  readonly store?: boolean;
  readonly include?: readonly 'reasoning.encrypted_content'[];
};

/** Token counts. */
export type ResponsesUsage = {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
};

/** An item of an answer. */
export type OutputItem =
  | OutputMessage
  | (FunctionCall & { readonly id: string; readonly status: ItemStatus })
  | Reasoning;

/** A whole answer, with the defaults for what echoes the request. */
export type ResponsesBody<Item extends JsonObject = OutputItem> = {
  readonly id: string;
  readonly object: 'response';
  readonly created_at: number;
  readonly status: 'completed' | 'incomplete' | 'failed' | 'in_progress';
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
  readonly model: string;
  readonly output: readonly Item[];
  readonly usage?: ResponsesUsage;
  readonly access_programs: null;
  readonly instructions: null;
  readonly metadata: null;
  readonly parallel_tool_calls: boolean;
  readonly temperature: null;
  readonly tool_choice: 'auto';
  readonly tools: readonly never[];
  readonly top_p: null;
};
