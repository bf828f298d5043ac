import { digestText } from '@toolgate/core';
import type { AliasTest } from './alias-rule.ts';

/** Hexadecimal digits of the hash that end a readable alias: 48 bits. */
const HASH_DIGITS = 12;

/** Below this length an alias is all hash, because nothing readable would fit beside it. */
const READABLE_LENGTH = 24;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABET = `${LETTERS}ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`;

/**
 * The alias of a text that a wire does not accept: what can be kept of it, then a hash of the whole text, so that the
 * same text has the same alias in every run.
 *
 * @param attempt - 0 first; the next number when the alias is taken.
 */
export function makeAlias(text: string, test: AliasTest, attempt: number): string {
  const { minLength, maxLength } = test.rule;
  // The JSON form is pure enough to hash: it escapes lone surrogates, which have no UTF-8.
  const hash = digestText(JSON.stringify([attempt, text])).slice('sha256:'.length);
  if (maxLength < READABLE_LENGTH) return hashOnly(hash, maxLength);
  const kept = test.clean(text).slice(0, maxLength - HASH_DIGITS - 1);
  const alias =
    kept === '' ? `x${hash.slice(0, HASH_DIGITS)}` : `${kept}${joint(test)}${hash.slice(0, HASH_DIGITS)}`;
  return alias.padEnd(minLength, '0');
}

function joint(test: AliasTest): string {
  return test.clean('a_') === 'a_' ? '_' : '';
}

/** `length` letters and digits (the first one a letter) from the bits of the hash. */
function hashOnly(hash: string, length: number): string {
  let bits = BigInt(`0x${hash}`);
  let alias = '';
  for (let place = 0; place < length; place += 1) {
    const alphabet = place === 0 ? LETTERS : ALPHABET;
    alias += alphabet[Number(bits % BigInt(alphabet.length))];
    bits /= BigInt(alphabet.length);
  }
  return alias;
}
