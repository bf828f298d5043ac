import { createRedactor } from '@toolgate/core';

const MARK = '[redacted]';
const SHORTEST_SECRET = 4;

/**
 * What providers quote of a key that they do not take: shortened ones, too, which a tool's result would not be suspected
 * of. The redactor of the gate knows whole ones.
 */
const LOOKS_SECRET =
  /\b(?:sk|pk|rk|gsk|xai|key|ghp|gho)[-_][A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{8,}/g;

/**
 * Replaces every known secret, however it is spelled ({@link createRedactor}), and what looks like a credential, by a mark.
 *
 * @param secrets - Exact values; those shorter than 4 characters are ignored, because they would hit plain words.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const redact = createRedactor({ secrets: secrets.filter(({ length }) => length >= SHORTEST_SECRET) });
  return redact(text).text.replace(LOOKS_SECRET, MARK);
}

/** Each secret as it may come back: whole, and without a scheme such as `Bearer` in front. */
export function secretForms(secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap((secret) => [secret, secret.trim(), secret.trim().replace(/^\S+\s+/, '')]);
  return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_SECRET);
}
