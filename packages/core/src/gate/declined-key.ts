import type { DeclinedCall } from './open-options.ts';

/** The same text for the same call: the same contract, and the arguments that it admitted. */
export function declinedKey({ contractDigest, argumentsDigest }: DeclinedCall): string {
  return `${contractDigest} ${argumentsDigest}`;
}
