const MARK = '[redacted]';
const SHORTEST_SECRET = 4;

// What credentials look like when a provider echoes one that was not ours to know (a proxy's own key, for example).
const LOOKS_SECRET =
  /\b(?:sk|pk|rk|gsk|xai|key|ghp|gho)[-_][A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{8,}/g;

/**
 * Replaces every known secret, and what looks like a credential, by a mark.
 *
 * @param secrets - Exact values; those shorter than 4 characters are ignored, because they would hit plain words.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) clean = clean.split(secret).join(MARK);
  }
  return clean.replace(LOOKS_SECRET, MARK);
}

/** Each secret as it may come back: whole, without a scheme such as `Bearer` in front, and as an address spells it. */
export function secretForms(secrets: readonly string[]): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const form of [secret, secret.trim(), secret.trim().replace(/^\S+\s+/, '')]) {
      forms.add(form);
      forms.add(encodeURIComponent(form.toWellFormed()));
    }
  }
  // The longest first, so that no part of one stays behind a shorter one.
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}
