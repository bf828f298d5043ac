import type { JsonObject } from '../json/json-value.ts';

/** Hints of the tool's author, in the terms of MCP (spec 2025-11-25, ToolAnnotations). Shown, never believed. */
export interface ToolAnnotations {
  readonly title?: string;
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** What it changes it may also destroy. */
  readonly destructiveHint?: boolean;
  /** The same call again changes nothing more. */
  readonly idempotentHint?: boolean;
  /** It reaches things outside of a closed set. */
  readonly openWorldHint?: boolean;
}

/** What a model sees of a tool. Once bound, the very same frozen value is what is enforced. */
export interface ToolDefinition {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`; never trimmed, never folded. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** What the tool does and when to use it, for the model. May be empty. */
  readonly description: string;
  /** JSON Schema of the arguments; its root describes an object. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of the structured result, where the tool declares one. */
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
}
