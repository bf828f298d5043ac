import type { JsonValue } from '../json/json-value.ts';

/** Plain text for the model. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** A JSON value; shown to the model as its JSON text. */
export interface JsonPart {
  readonly kind: 'json';
  readonly value: JsonValue;
}

/** Binary content as standard base64 (RFC 4648 section 4). */
export interface MediaPart {
  readonly kind: 'image' | 'audio';
  /** For example `image/png`. */
  readonly mediaType: string;
  readonly data: string;
}

/** A file given inline: text or base64, never both. */
export interface FilePart {
  readonly kind: 'file';
  readonly mediaType: string;
  readonly name?: string;
  readonly uri?: string;
  readonly text?: string;
  readonly data?: string;
}

/** A pointer to a resource that the model or the application may fetch. */
export interface ResourceLinkPart {
  readonly kind: 'resource-link';
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  readonly mediaType?: string;
}

/** One piece of a result. */
export type OutputPart = TextPart | JsonPart | MediaPart | FilePart | ResourceLinkPart;

/** A result as plain data, for storage; `toolOutput` reads it back. */
export interface ToolOutputData {
  readonly parts: readonly OutputPart[];
  readonly structured?: JsonValue | undefined;
}

/**
 * The canonical public result of a tool. Validated when made and deeply frozen. Make one with `textOutput`,
 * `jsonOutput` or `toolOutput`; an object that only looks like one is checked again before it is used.
 */
export interface ToolOutput {
  readonly kind: 'tool-output';
  readonly parts: readonly OutputPart[];
  /** Sum of `partBytes` over the parts: UTF-8 bytes of texts, characters of base64. */
  readonly byteSize: number;
  /** The machine-readable result of a tool that declares an output schema; `undefined` when there is none. */
  readonly structured: JsonValue | undefined;
  /**
   * Halves of surrogate pairs in what was given that are U+FFFD here, because no request could carry them. Not part of
   * the stored form.
   */
  readonly mended: number;
  /** Everything as one text: texts and JSON in order, one line for each part that is no text. */
  text(): string;
  toJSON(): ToolOutputData;
}
