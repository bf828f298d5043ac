import { utf8Bytes } from '../internal/utf8-bytes.ts';
import type { JsonValue } from '../json/json-value.ts';
import { ContractError } from './contract-error.ts';
import { decodeOutput, encodeOutput } from './encode-output.ts';
import { partBytes } from './part-bytes.ts';
import { takePart } from './take-part.ts';
import type { OutputPart, ToolOutput, ToolOutputData } from './tool-output.ts';

/** How an output was made: one text, one JSON text, or parts. The first two make their part when it is asked for. */
interface Content {
  readonly kind: 'text' | 'json' | 'parts';
  readonly text: string;
  readonly parts: readonly OutputPart[] | undefined;
  /** `text`: the structured value is the JSON in `text`. */
  readonly structured: { readonly value: JsonValue } | 'text' | undefined;
}

let isOwn: (value: object) => boolean;
let kindOf: (output: ToolOutput) => Content['kind'];

/** Not exported: an instance is proof that its content was checked. */
class Output implements ToolOutput {
  static {
    isOwn = (value) => #content in value;
    kindOf = (output) => (#content in output ? output.#content.kind : 'parts');
  }

  readonly #content: Content;
  #parts: readonly OutputPart[] | undefined;
  #structured: JsonValue | undefined;
  #byteSize: number | undefined;

  constructor(content: Content) {
    this.#content = content;
    this.#parts = content.parts;
    Object.freeze(this);
  }

  get kind(): 'tool-output' {
    return 'tool-output';
  }

  get parts(): readonly OutputPart[] {
    this.#parts ??= Object.freeze([onePart(this.#content)]);
    return this.#parts;
  }

  get byteSize(): number {
    this.#byteSize ??=
      this.#content.kind === 'parts'
        ? this.parts.reduce((sum, part) => sum + partBytes(part), 0)
        : utf8Bytes(this.#content.text);
    return this.#byteSize;
  }

  get structured(): JsonValue | undefined {
    const { structured, text } = this.#content;
    if (structured !== 'text') return structured?.value;
    this.#structured ??= decodeOutput(text);
    return this.#structured;
  }

  text(): string {
    return this.#content.text;
  }

  toJSON(): ToolOutputData {
    const { structured } = this;
    return structured === undefined ? { parts: this.parts } : { parts: this.parts, structured };
  }
}

function onePart({ kind, text }: Content): OutputPart {
  if (kind === 'text') return Object.freeze({ kind, text });
  return Object.freeze({ kind: 'json', value: decodeOutput(text) });
}

const EMPTY: ToolOutput = new Output({
  kind: 'parts',
  text: '',
  parts: Object.freeze([]),
  structured: undefined,
});

/** The result without content. */
export function emptyOutput(): ToolOutput {
  return EMPTY;
}

/**
 * A result of one text, which the model gets unchanged.
 *
 * @throws {@link ContractError} `tool/output-invalid` when it is not a well-formed string.
 */
export function textOutput(text: string): ToolOutput {
  return new Output({ kind: 'text', text: checkText(text), parts: undefined, structured: undefined });
}

/**
 * A result of one JSON value, encoded at once and strictly: a later change of the value does not change the result.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer, cause `JsonError`.
 */
export function jsonOutput(value: unknown): ToolOutput {
  return new Output({ kind: 'json', text: encodeOutput(value), parts: undefined, structured: undefined });
}

/**
 * The result of a tool that declares an output schema: what the model reads and what a machine reads are one value.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer, cause `JsonError`.
 */
export function structuredOutput(value: unknown): ToolOutput {
  if (typeof value === 'string') {
    return new Output({ kind: 'text', text: checkText(value), parts: undefined, structured: { value } });
  }
  return new Output({ kind: 'json', text: encodeOutput(value), parts: undefined, structured: 'text' });
}

/**
 * A result of any parts, copied, checked and frozen.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer.
 */
export function toolOutput(data: ToolOutputData): ToolOutput {
  const { parts, structured } = readData(data);
  const taken = parts.map((part, index) => takePart(part, `/parts/${index}`));
  const frozen = structured === undefined ? undefined : decodeOutput(encodeOutput(structured, '/structured'));
  return new Output({
    kind: 'parts',
    text: taken.map(({ text }) => text).join('\n'),
    parts: Object.freeze(taken.map(({ part }) => part)),
    structured: frozen === undefined ? undefined : { value: frozen },
  });
}

function readData(data: ToolOutputData): {
  readonly parts: readonly unknown[];
  readonly structured: unknown;
} {
  let parts: unknown;
  try {
    const structured: unknown = data.structured;
    parts = data.parts;
    if (Array.isArray(parts)) return { parts: Array.from(parts), structured };
  } catch (cause) {
    throw new ContractError('tool/output-invalid', 'Reading a result failed.', { cause });
  }
  throw new ContractError('tool/output-invalid', 'The parts of a result have to be an array.');
}

/**
 * Whether a value is a result, of this copy of the package or of another one. A stranger's data cannot be: it holds
 * no functions. Safe on hostile values.
 */
export function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== 'object' || value === null) return false;
  if (isOwn(value)) return true;
  try {
    const { kind } = value as { readonly kind?: unknown };
    if (kind !== 'tool-output') return false;
    const { parts, text } = value as { readonly parts?: unknown; readonly text?: unknown };
    return Array.isArray(parts) && typeof text === 'function';
  } catch {
    return false;
  }
}

/**
 * A result that can be relied on: a string as text, a result of this copy as it is, one of another copy checked and
 * copied.
 *
 * @throws {@link ContractError} `tool/output-invalid`
 */
export function outputOf(value: ToolOutput | string): ToolOutput {
  if (typeof value === 'string') return textOutput(value);
  if (typeof value === 'object' && value !== null && isOwn(value)) return value;
  if (!isToolOutput(value))
    throw new ContractError('tool/output-invalid', 'A tool gave something that is no result.');
  return toolOutput(value);
}

/**
 * Whether an output is one text or one JSON value and nothing else, so that `text()` and `byteSize` say all about its
 * size; its structured value, where it has one, is the same. Told without making parts.
 * @internal
 */
export function isSingle(output: ToolOutput): boolean {
  return kindOf(output) !== 'parts';
}

function checkText(text: unknown): string {
  if (typeof text !== 'string')
    throw new ContractError('tool/output-invalid', 'The text of a result has to be a string.');
  if (!text.isWellFormed()) {
    throw new ContractError('tool/output-invalid', 'The text of a result holds half of a surrogate pair.');
  }
  return text;
}
