import { JsonError } from './json-error.ts';

/** Bounds and permissions of one reading; every field has a strict default. */
export interface ReadJsonOptions {
  /** Bytes of UTF-8 that the text may have. Default 1,048,576 (1 MiB). */
  readonly maxBytes?: number | 'none';
  /** Arrays and objects that may be open at once. Default 64. */
  readonly maxDepth?: number | 'none';
  /** U+FDD0 and its like, raw or escaped, forbidden by RFC 7493 section 2.1. Default `'refuse'`. */
  readonly noncharacters?: 'refuse' | 'allow';
  /**
   * Integers that change when they become a double: neither is the double equal to what was written nor does it print
   * as such. However they are written: `9007199254740993`, `9007199254740993.0`, `9.007199254740993e15`. Default
   * `'refuse'`.
   */
  readonly inexactIntegers?: 'refuse' | 'allow';
  /** `__proto__` anywhere, and `prototype` in a `constructor`. Allowed, they are own members. Default `'refuse'`. */
  readonly forbiddenMembers?: 'refuse' | 'allow';
}

/** Options after the door: validated, with defaults, no limit as `Infinity`. */
export interface ReadRules {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly allowNoncharacters: boolean;
  readonly allowInexactIntegers: boolean;
  readonly allowForbiddenMembers: boolean;
}

const STRICT: ReadRules = Object.freeze({
  maxBytes: 1_048_576,
  maxDepth: 64,
  allowNoncharacters: false,
  allowInexactIntegers: false,
  allowForbiddenMembers: false,
});

/** @throws {@link JsonError} `json/options-invalid`. */
export function toReadRules(options: ReadJsonOptions | undefined): ReadRules {
  if (options === undefined) return STRICT;
  return {
    maxBytes: toLimit('maxBytes', options.maxBytes, STRICT.maxBytes),
    maxDepth: toLimit('maxDepth', options.maxDepth, STRICT.maxDepth),
    allowNoncharacters: toPermission('noncharacters', options.noncharacters),
    allowInexactIntegers: toPermission('inexactIntegers', options.inexactIntegers),
    allowForbiddenMembers: toPermission('forbiddenMembers', options.forbiddenMembers),
  };
}

/**
 * A limit as given, or its default; `'none'` becomes `Infinity`.
 *
 * @throws {@link JsonError} `json/options-invalid` for anything but a non-negative whole number or `'none'`.
 */
export function toLimit(name: string, value: number | 'none' | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value === 'none') return Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new JsonError('json/options-invalid', {}, `${name} must be a whole number from 0 on, or 'none'`);
}

function toPermission(name: string, value: 'refuse' | 'allow' | undefined): boolean {
  if (value === undefined || value === 'refuse') return false;
  if (value === 'allow') return true;
  throw new JsonError('json/options-invalid', {}, `${name} must be 'refuse' or 'allow'`);
}
