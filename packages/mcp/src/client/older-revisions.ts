import { ProtocolError, SdkHttpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';

/** Characters of a refusal that are looked at. */
const MAX_TEXT = 4_000;
const ABOUT_VERSION = /\bprotocol[ _-]?version/i;
const REVISION = /\b20\d\d-\d\d-\d\d\b/g;
/** What a handshake offers by itself. */
const OFFERED = '2025-11-25';
const OLDER: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => revision < OFFERED);

/**
 * The revisions to offer to a server that refused the handshake for its revision instead of naming one that it knows:
 * those that its refusal names, or all older ones where it names none. The newest comes first.
 *
 * @returns `undefined` where it refused for something else, or names none that this client knows.
 */
export function olderRevisions(error: unknown): string[] | undefined {
  const text = textOf(error);
  if (text === undefined || !ABOUT_VERSION.test(text)) return undefined;
  const named = new Set(text.match(REVISION));
  named.delete(OFFERED);
  const known = named.size === 0 ? OLDER : OLDER.filter((revision) => named.has(revision));
  return known.length === 0 ? undefined : known.toSorted().toReversed();
}

function textOf(error: unknown): string | undefined {
  if (error instanceof SdkHttpError) {
    const text: unknown = error.data['text'];
    return error.status === 400 && typeof text === 'string' ? text.slice(0, MAX_TEXT) : undefined;
  }
  if (!(error instanceof ProtocolError)) return undefined;
  const { data } = error;
  const listed: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'supported') : undefined;
  const revisions = Array.isArray(listed) ? listed.slice(0, 20).map(String).join(' ') : '';
  return `${error.message.slice(0, MAX_TEXT)} ${revisions.slice(0, MAX_TEXT)}`;
}
