import { appendPointer, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import { type Subschema, subschemasOf } from './subschemas.ts';

/** Where a local reference leads. */
export interface ReferenceTarget {
  readonly pointer: string;
  readonly schema: JsonObject | boolean;
}

/** The references of one schema document. */
export interface References {
  /** Follows any local pointer or anchor; `undefined` for what leads outside or nowhere. */
  resolve(reference: string): ReferenceTarget | undefined;
  /** Every schema in the document that is reached by walking, root first, without following references. */
  readonly schemas: readonly Subschema[];
}

/** More schemas than this are not indexed; the projection gives up on such a document anyway. */
const MAX_SCHEMAS = 50_000;

/**
 * Reads the references of one document. `$id`s are not followed: a reference is local when it is a fragment, or a
 * fragment of the root's own `$id`.
 *
 * @see JSON Schema 2020-12 core, section 8.2.
 */
export function createReferences(root: JsonObject): References {
  const schemas: Subschema[] = [{ schema: root, pointer: '' }];
  const anchors = new Map<string, ReferenceTarget>();
  for (let next = 0; next < schemas.length && schemas.length < MAX_SCHEMAS; next += 1) {
    const entry = schemas[next];
    if (entry === undefined) break;
    for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
      const anchor = textOf(entry.schema, keyword);
      if (anchor !== undefined && !anchors.has(anchor)) anchors.set(anchor, entry);
    }
    schemas.push(...subschemasOf(entry.schema, entry.pointer));
  }
  const base = textOf(root, '$id') ?? textOf(root, 'id');
  return {
    schemas,
    resolve(reference) {
      const fragment = fragmentOf(reference, base);
      if (fragment === undefined) return undefined;
      if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(fragment);
      return walk(root, fragment);
    },
  };
}

function fragmentOf(reference: string, base: string | undefined): string | undefined {
  const hash = reference.indexOf('#');
  const document = hash === -1 ? reference : reference.slice(0, hash);
  if (document !== '' && (base === undefined || document !== base.replace(/#$/, ''))) return undefined;
  try {
    return hash === -1 ? '' : decodeURIComponent(reference.slice(hash + 1));
  } catch {
    return undefined;
  }
}

function walk(root: JsonObject, pointer: string): ReferenceTarget | undefined {
  let at: JsonValue = root;
  let place = '';
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: JsonValue | undefined = isJsonArray(at)
      ? at[/^\d+$/.test(name) ? Number(name) : -1]
      : isJsonObject(at)
        ? memberOf(at, name)
        : undefined;
    if (next === undefined) return undefined;
    at = next;
    place = appendPointer(place, name);
  }
  return isJsonObject(at) || typeof at === 'boolean' ? { pointer: place, schema: at } : undefined;
}
