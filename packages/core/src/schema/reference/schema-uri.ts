/** The base of a schema that has no absolute `$id`. Never fetched and never shown. */
export const defaultBase = 'toolgate://schema/';

/** A URI reference made absolute (RFC 3986 section 5), or undefined when it is not one. */
export function resolveUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** A URI as its part before the `#` and its decoded fragment; undefined when the fragment is badly escaped. */
export function splitUri(uri: string): { readonly document: string; readonly fragment: string } | undefined {
  const hash = uri.indexOf('#');
  if (hash === -1) return { document: uri, fragment: '' };
  const fragment = decodeFragment(uri.slice(hash + 1));
  return fragment === undefined ? undefined : { document: uri.slice(0, hash), fragment };
}

function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** A pointer as the fragment of a reference. The dollar sign of `$defs` may stand there, and not everybody reads it escaped. */
export function pointerFragment(pointer: string): string {
  return `#${pointer.split('/').map(encodeURIComponent).join('/').replaceAll('%24', '$')}`;
}
