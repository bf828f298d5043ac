import { digestText } from '@toolgate/core';

/**
 * An id for something that came without one: the same parts give the same id, so that retries and replays agree, and
 * other parts another one. At most 40 characters of `[A-Za-z0-9_]`, which every wire accepts.
 */
export function syntheticId(prefix: string, ...parts: readonly (string | number | null)[]): string {
  // The separator cannot be mistaken for a part: lengths come first.
  const text = parts.map((part) => `${String(part).length}:${String(part)}`).join('');
  return `${prefix}_${digestText(text).slice('sha256:'.length, 'sha256:'.length + 24)}`;
}

/** Whether a foreign id is no id: absent, empty, blank or the word for nothing. */
export function isPlaceholderId(id: unknown): boolean {
  return typeof id !== 'string' || id.trim() === '' || id === 'null' || id === 'undefined' || id === 'None';
}
