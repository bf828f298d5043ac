import type { JsonObject, JsonValue } from '@toolgate/core';

// The parts of the generateContent wire that this package writes. Type aliases, because an alias of an object type is
// assignable to a JSON object and an interface is not; `gemini-wire.test-d.ts` holds them against the official client.

/** Bytes in place. */
export type GeminiBlob = { readonly mimeType: string; readonly data: string };

/** Bytes elsewhere. */
export type GeminiFile = { readonly fileUri: string; readonly mimeType?: string };

/** A call. */
export type GeminiCall = { readonly id?: string; readonly name: string; readonly args: JsonObject };

/** The result of a call; always an object. */
export type GeminiResult = {
  readonly id?: string;
  readonly name: string;
  readonly response: JsonObject;
  readonly parts?: readonly { readonly inlineData: GeminiBlob }[];
};

/** One part of a content. */
export type GeminiPart =
  | { readonly text: string; readonly thought?: true; readonly thoughtSignature?: string }
  | { readonly inlineData: GeminiBlob }
  | { readonly fileData: GeminiFile }
  | { readonly functionCall: GeminiCall; readonly thoughtSignature?: string }
  | { readonly functionResponse: GeminiResult };

/** What one side said. */
export type GeminiContent = { readonly role: 'user' | 'model'; readonly parts: readonly GeminiPart[] };

/** A function, with its schema in one of two members. */
export type GeminiDeclaration = {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: JsonObject;
  readonly parameters?: JsonObject;
};

/** Which functions may or must be called. */
export type GeminiMode = 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED';

/** How the answer is made. */
export type GeminiGenerationConfig = {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly stopSequences?: readonly string[];
  readonly candidateCount?: number;
  readonly responseMimeType?: string;
  readonly responseJsonSchema?: JsonValue;
  readonly thinkingConfig?: {
    readonly thinkingBudget?: number;
    readonly thinkingLevel?: string;
    readonly includeThoughts?: boolean;
  };
};

/** Why the model stopped, as far as this package writes it. */
export type GeminiFinish = 'STOP' | 'MAX_TOKENS' | 'SAFETY' | 'OTHER' | 'MALFORMED_FUNCTION_CALL';

/** Counted tokens. */
export type GeminiUsage = {
  readonly promptTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly totalTokenCount?: number;
};

/** A response body, or one piece of a stream, without the members that only extensions carry. */
export type GeminiResponseBody = {
  readonly candidates: readonly {
    readonly content: { readonly role: 'model'; readonly parts: readonly JsonObject[] };
    readonly finishReason?: string;
    readonly index: 0;
  }[];
  readonly usageMetadata?: GeminiUsage;
  readonly modelVersion?: string;
  readonly responseId?: string;
};

/** An error body. */
export type GeminiError = {
  readonly error: { readonly code: number; readonly message: string; readonly status: string };
};
