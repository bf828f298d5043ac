import type { FunctionTool } from '../call/model-call.ts';

/**
 * A small change of a request that leaves everything else as its client wrote it. Data, so that the same change can be
 * made again on another body.
 */
export type Edit =
  /** Offers one more tool, as the last one. */
  | { readonly kind: 'append-tool'; readonly tool: FunctionTool }
  /** Puts a text before everything else that instructs the model. Where the wire knows one role only, that is its role. */
  | { readonly kind: 'prepend-instruction'; readonly role: 'system' | 'developer'; readonly text: string }
  /**
   * Leaves only the function tools with these names, in the tools and in a choice among some of them. `foreign` says
   * what becomes of tools that are no functions. A choice that demands a removed tool makes the edit impossible.
   */
  | { readonly kind: 'filter-tools'; readonly keep: readonly string[]; readonly foreign: 'keep' | 'remove' }
  /** Names another model. Gemini names it in the path, so its body stays as it is. */
  | { readonly kind: 'set-model'; readonly model: string }
  /** Asks for a stream or for a whole answer. Gemini says so in the path, so its body stays as it is. */
  | { readonly kind: 'set-stream'; readonly stream: boolean }
  /** Asks for token counts at the end of a stream: a member of OpenAI Chat only, all others send them anyway. */
  | { readonly kind: 'request-usage' }
  /** Says the limit of an answer under this name, if it is said: OpenAI Chat has two for it, all others one. */
  | { readonly kind: 'name-limit'; readonly name: 'max_tokens' | 'max_completion_tokens' };

/** A `filter-tools` edit. */
export type ToolFilter = Extract<Edit, { readonly kind: 'filter-tools' }>;
