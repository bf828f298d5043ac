import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { utf8Bytes } from '../internal/utf8-bytes.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type MendedText, mendText } from '../json/mend-text.ts';
import { createLabelMemory, type LabelMemory } from '../json/write-text.ts';
import { ContractError } from './contract-error.ts';
import { decodeOutput, encodeResult } from './encode-output.ts';
import { partBytes } from './part-bytes.ts';
import { takePart } from './take-part.ts';
import type { OutputPart, ToolOutput, ToolOutputData } from './tool-output.ts';

/**
 * How an output was made. The first three are one text whose part is made when somebody asks for it; of
 * `structured-json` the text is the structured value, too.
 */
type Form = 'text' | 'json' | 'structured-json' | 'parts';

/** By this member `console.log` of Node.js, Deno and Bun asks a value what to show; without it an output looks empty. */
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

let isOwn: (value: object) => boolean;
let isOneText: (value: object) => boolean;

/** Not exported: an instance is proof that its content was checked. */
class Output implements ToolOutput {
  static {
    isOwn = (value) => #form in value;
    isOneText = (value) => #form in value && value.#form !== 'parts';
  }

  readonly #form: Form;
  readonly #text: string;
  readonly #mended: number;
  #parts: readonly OutputPart[] | undefined;
  #structured: JsonValue | undefined;
  #byteSize: number | undefined;

  constructor(
    form: Form,
    text: string,
    mended: number,
    structured?: JsonValue,
    parts?: readonly OutputPart[],
  ) {
    this.#form = form;
    this.#text = text;
    this.#mended = mended;
    this.#structured = structured;
    this.#parts = parts;
    Object.freeze(this);
  }

  get kind(): 'tool-output' {
    return 'tool-output';
  }

  get parts(): readonly OutputPart[] {
    this.#parts ??= Object.freeze([
      this.#form === 'text'
        ? Object.freeze({ kind: 'text', text: this.#text })
        : Object.freeze({ kind: 'json', value: this.structured ?? decodeOutput(this.#text) }),
    ]);
    return this.#parts;
  }

  get byteSize(): number {
    this.#byteSize ??=
      this.#form === 'parts'
        ? this.parts.reduce((sum, part) => sum + partBytes(part), 0)
        : utf8Bytes(this.#text);
    return this.#byteSize;
  }

  get structured(): JsonValue | undefined {
    if (this.#form === 'structured-json') this.#structured ??= decodeOutput(this.#text);
    return this.#structured;
  }

  get mended(): number {
    return this.#mended;
  }

  text(): string {
    return this.#text;
  }

  toJSON(): ToolOutputData {
    const { parts, structured } = this;
    return structured === undefined ? { parts } : { parts, structured };
  }

  [INSPECT](): object {
    return { kind: this.kind, text: this.#text };
  }
}

const EMPTY: ToolOutput = new Output('parts', '', 0, undefined, Object.freeze([]));

/** The result without content. */
export function emptyOutput(): ToolOutput {
  return EMPTY;
}

/**
 * A result of one text, which the model gets unchanged, but for halves of surrogate pairs: see `mended`.
 *
 * @throws {@link ContractError} `tool/output-invalid` when it is not a string.
 */
export function textOutput(text: string): ToolOutput {
  const { text: own, count } = takeText(text);
  return new Output('text', own, count);
}

/**
 * A result of one JSON value, encoded at once and strictly: a later change of the value does not change the result.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer, cause `JsonError`.
 */
export function jsonOutput(value: unknown): ToolOutput {
  return jsonResult(value, createLabelMemory());
}

/**
 * The same for results of one tool, which have mostly the same members.
 *
 * @throws {@link ContractError} as `jsonOutput` does.
 * @internal
 */
export function jsonResult(value: unknown, memory: LabelMemory): ToolOutput {
  const { text, mended } = encodeResult(value, '', memory);
  return new Output('json', text, mended);
}

/**
 * The result of a tool that declares an output schema: what the model reads and what a machine reads are one value.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer, cause `JsonError`.
 */
export function structuredOutput(value: unknown): ToolOutput {
  return structuredResult(value, createLabelMemory());
}

/**
 * The same for results of one tool.
 *
 * @throws {@link ContractError} as `structuredOutput` does.
 * @internal
 */
export function structuredResult(value: unknown, memory: LabelMemory): ToolOutput {
  if (typeof value === 'string') {
    const { text, count } = takeText(value);
    return new Output('text', text, count, text);
  }
  const { text, mended } = encodeResult(value, '', memory);
  return new Output('structured-json', text, mended);
}

/**
 * A result of any parts, copied, checked and frozen.
 *
 * @throws {@link ContractError} `tool/output-invalid` with the pointer.
 */
export function toolOutput(data: ToolOutputData): ToolOutput {
  const { parts, structured } = readData(data);
  const taken = parts.map((part, index) => takePart(part, `/parts/${index}`));
  const encoded = structured === undefined ? undefined : encodeResult(structured, '/structured');
  return new Output(
    'parts',
    taken.map(({ text }) => text).join('\n'),
    taken.reduce((sum, { mended }) => sum + mended, encoded?.mended ?? 0),
    encoded === undefined ? undefined : decodeOutput(encoded.text),
    Object.freeze(taken.map(({ part }) => part)),
  );
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
  } catch (thrown) {
    ignoreThrown(thrown);
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
  return isOneText(output);
}

function takeText(text: unknown): MendedText {
  if (typeof text !== 'string')
    throw new ContractError('tool/output-invalid', 'The text of a result has to be a string.');
  return text.isWellFormed() ? { text, count: 0 } : mendText(text);
}
