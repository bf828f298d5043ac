import { mendText } from '../json/mend-text.ts';
import { ContractError } from './contract-error.ts';

const MEDIA_TYPE =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?: ?;[\x20-\x7e]{1,255})?$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Control characters and the two that end a line: Unicode categories Cc, Zl, Zp. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const MAX_LABEL = 8_192;

const FIELDS = ['kind', 'text', 'value', 'mediaType', 'data', 'name', 'uri', 'description'] as const;
type Field = (typeof FIELDS)[number];

/** Reads the members of one part of a result, each exactly once, and checks them on demand. */
export class PartReader {
  readonly #fields: ReadonlyMap<Field, unknown>;
  readonly #pointer: string;
  #mended = 0;

  /** @param pointer - Where the part is, for errors. */
  constructor(raw: unknown, pointer: string) {
    this.#pointer = pointer;
    if (typeof raw !== 'object' || raw === null)
      throw new ContractError(...fault('A part is no object.', pointer));
    try {
      this.#fields = new Map(FIELDS.map((name) => [name, Reflect.get(raw, name)]));
    } catch (cause) {
      const [code, message] = fault('Reading a part failed.', pointer);
      throw new ContractError(code, message, { cause, pointer });
    }
  }

  /** A member as it is; `undefined` when it is absent. */
  field(name: Field): unknown {
    return this.#fields.get(name);
  }

  has(name: Field): boolean {
    return this.#fields.get(name) !== undefined;
  }

  /** Halves of surrogate pairs that were replaced in the texts read so far. */
  get mended(): number {
    return this.#mended;
  }

  /** The `text`, made well-formed; every string will do. */
  text(): string {
    const value = this.field('text');
    if (typeof value !== 'string') throw this.invalid('text', 'has to be a string');
    return this.#mend(value);
  }

  /** A short text in one line; no member when it is absent. */
  label<Name extends Field>(name: Name): { readonly [Key in Name]?: string } {
    const value = this.field(name);
    if (value === undefined) return {};
    if (typeof value !== 'string' || value.length > MAX_LABEL || CONTROL.test(value)) {
      throw this.invalid(
        name,
        `has to be text of at most ${MAX_LABEL} characters without control characters`,
      );
    }
    return { [name]: this.#mend(value) } as { readonly [Key in Name]?: string };
  }

  /** The `mediaType`, as RFC 6838 section 4.2 names types, with parameters if any. */
  mediaType(): string {
    const value = this.field('mediaType');
    if (typeof value !== 'string' || !MEDIA_TYPE.test(value)) {
      throw this.invalid('mediaType', 'has to be a media type such as image/png');
    }
    return value;
  }

  /** The `data`: standard base64 with padding (RFC 4648 section 4). */
  base64(): string {
    const value = this.field('data');
    if (typeof value !== 'string' || value.length % 4 !== 0 || !BASE64.test(value)) {
      throw this.invalid('data', 'has to be base64 with padding');
    }
    return value;
  }

  #mend(value: string): string {
    if (value.isWellFormed()) return value;
    const { text, count } = mendText(value);
    this.#mended += count;
    return text;
  }

  /** The error for a member. */
  invalid(name: Field, what: string): ContractError {
    return new ContractError(...fault(`The ${name} of a part ${what}.`, `${this.#pointer}/${name}`));
  }
}

function fault(
  message: string,
  pointer: string,
): ['tool/output-invalid', string, { readonly pointer: string }] {
  return ['tool/output-invalid', message, { pointer }];
}
