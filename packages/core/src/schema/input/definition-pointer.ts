import { appendPointer } from '../../json/json-pointer.ts';
import { splitUri } from '../reference/schema-uri.ts';

/** A reference to, or into, a definition at the root. */
export interface DefinitionPointer {
  readonly name: string;
  /** What follows the name, as a decoded pointer; empty for the definition itself. */
  readonly rest: string;
}

/** Reads `#/$defs/<name>…`; undefined for any other reference. */
export function readDefinitionPointer(reference: string | undefined): DefinitionPointer | undefined {
  const fragment = reference?.startsWith('#') === true ? splitUri(reference)?.fragment : undefined;
  const prefix = '/$defs/';
  if (fragment === undefined || !fragment.startsWith(prefix)) return undefined;
  const slash = fragment.indexOf('/', prefix.length);
  const end = slash === -1 ? fragment.length : slash;
  const name = fragment.slice(prefix.length, end).replaceAll('~1', '/').replaceAll('~0', '~');
  return { name, rest: fragment.slice(end) };
}

/** The reference to a definition, or to what follows it. */
export function definitionPointer(name: string, rest = ''): string {
  const pointer = `${appendPointer('/$defs', name)}${rest}`;
  return `#${pointer.split('/').map(encodeToken).join('/')}`;
}

/** `$` and `~` stand as they are in a fragment (RFC 3986, section 3.5). */
function encodeToken(token: string): string {
  return encodeURIComponent(token).replaceAll('%24', '$');
}
