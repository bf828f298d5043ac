import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Loss } from '../codec/loss.ts';

/** A request body as text, and what had to be mended in it. */
export interface EncodedBody {
  readonly text: string;
  readonly losses: readonly Loss[];
}

// How the platform writes half of a surrogate pair; a doubled backslash before it only costs the second look.
const LONE_SURROGATE = /\\ud[89a-f]/;

/**
 * Writes a request body. Half of a surrogate pair, for example from a text that an old history cut in the middle, would
 * make a strict provider refuse this request and every later one; it is replaced by U+FFFD, and told.
 */
export function encodeBody(body: JsonObject): EncodedBody {
  const text = JSON.stringify(body);
  if (!LONE_SURROGATE.test(text)) return { text, losses: [] };
  const mended = JSON.stringify(mend(body));
  if (mended === text) return { text, losses: [] };
  return {
    text: mended,
    losses: [
      {
        code: 'approximated',
        path: '',
        severity: 'warning',
        detail: 'halves of surrogate pairs in texts are replaced by U+FFFD',
      },
    ],
  };
}

function mend(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), mend(member)]),
  );
}
