import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { JSON_ERROR_CODES, type JsonErrorCode } from './json-error-code.ts';
import { quoteShort } from './quote-short.ts';

/** Where a fault is. */
export interface JsonPlace {
  /** Where in the value (RFC 6901): the member or element that was being read or written. The root is `''`. */
  readonly pointer?: string;
  /** 0-based, in UTF-16 units of the text. Only for faults of a text. */
  readonly offset?: number;
  /** 1-based; lines end with LF, CR or CR LF. */
  readonly line?: number;
  /** 1-based, in UTF-16 units. */
  readonly column?: number;
}

/**
 * The one error of reading and writing JSON. `message` is safe to log: it names the fault and its place and quotes at
 * most 40 characters of the input, escaped. `pointer` holds member names of the input in full. `cause` is for
 * diagnosis only.
 */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly code: JsonErrorCode;
  /** Where in the value (RFC 6901). */
  readonly pointer: string;
  /** 0-based, in UTF-16 units; `undefined` when a value or an option was at fault and not a text. */
  readonly offset: number | undefined;
  /** 1-based. */
  readonly line: number | undefined;
  /** 1-based, in UTF-16 units. */
  readonly column: number | undefined;

  /** @param detail - A few words of our own on what was expected or found; no input but what is quoted already. */
  constructor(code: JsonErrorCode, place: JsonPlace, detail?: string, options?: ErrorOptions) {
    super(describe(code, place, detail), options);
    ignoreThrown(options?.cause);
    this.code = code;
    this.pointer = place.pointer ?? '';
    this.offset = place.offset;
    this.line = place.line;
    this.column = place.column;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is JsonError {
    try {
      if (!(value instanceof Error) || value.name !== 'JsonError' || !('code' in value)) return false;
      return typeof value.code === 'string' && Object.hasOwn(JSON_ERROR_CODES, value.code);
    } catch {
      return false;
    }
  }
}

function describe(code: JsonErrorCode, place: JsonPlace, detail: string | undefined): string {
  let text: string = JSON_ERROR_CODES[code];
  if (detail !== undefined) text += `: ${detail}`;
  if (place.offset !== undefined)
    text += ` (line ${place.line}, column ${place.column}, offset ${place.offset})`;
  if (place.pointer) text += ` at ${quoteShort(place.pointer, 30)}`;
  return text;
}
