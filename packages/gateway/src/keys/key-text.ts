import { hash, randomBytes } from 'node:crypto';
import type { Digest } from '@toolgate/core';

/** Longest key that is looked at; a longer one is unknown. */
export const MAX_KEY_LENGTH = 512;

/** What is kept of a key: SHA-256 of its UTF-8 bytes. Keys are random, so that nothing slower is needed. */
export function keyDigest(key: string): Digest {
  return `sha256:${hash('sha256', key, 'hex')}`;
}

/** A new key: our prefix, its id, and 256 random bits. */
export function newKey(): { readonly id: string; readonly key: string } {
  const id = randomBytes(8).toString('hex');
  return { id, key: `tg_${id}_${randomBytes(32).toString('base64url')}` };
}
