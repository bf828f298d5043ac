import { hash } from 'node:crypto';
import type { Digest, Invocation } from '@toolgate/core';

/** The digest of an invocation's arguments, as the invocation has it; made by Node's own SHA-256, which is faster. */
export function argumentsDigest(invocation: Pick<Invocation, 'argumentsText'>): Digest {
  return `sha256:${hash('sha256', invocation.argumentsText, 'hex')}`;
}
