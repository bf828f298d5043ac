import { type Digest, digestText } from '@toolgate/core';
import type { Evidence } from './evidence.ts';

/**
 * What an attempt looked like: SHA-256 over its cause, what was expected and observed, its texts and its actions, each
 * with its length before it so that no two lists of parts read the same. No ids, no times, no numbers of attempts: the
 * same answer twice is the same fingerprint.
 */
export function fingerprint(evidence: Evidence, expected: boolean, observed: boolean): Digest {
  const parts = [
    evidence.cause,
    String(expected),
    String(observed),
    normal(evidence.objective),
    normal(evidence.candidateText),
    normal(evidence.recentText),
    ...evidence.actions.flatMap(({ kind, status, name }) => [kind, status, name]),
  ];
  return digestText(parts.map((part) => `${part.length}:${part}`).join(''));
}

function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
