import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import { pointerFragment, splitUri } from '../reference/schema-uri.ts';
import { normalPointer, ownedPart, type SchemaPlace, writtenPointer } from './schema-place.ts';

type Places = ReadonlyMap<object, SchemaPlace>;

/**
 * Places that only a `#/…` reference makes a schema: they stand under a keyword that nobody knows. Whether a
 * reference leads anywhere at all is judged when it is resolved.
 */
export function followReferences(referring: readonly SchemaPlace[], places: Places): readonly SchemaPlace[] {
  const found = new Map<object, SchemaPlace>();
  for (const place of referring) {
    const tokens = localPointer(place)?.tokens;
    const target = tokens === undefined ? undefined : walkTokens(places, resourceOf(place), tokens);
    if (target !== undefined && !places.has(target.json)) found.set(target.json, target);
  }
  return [...found.values()];
}

/** Lets every `#/…` reference follow subschemas that stand elsewhere now than as written. */
export function rewriteReferences(places: Places): void {
  const byWritten = new Map(Array.from(places.values(), (place) => [writtenPointer(place), place] as const));
  for (const place of places.values()) {
    const local = localPointer(place);
    if (local === undefined) continue;
    const resource = resourceOf(place);
    const target = byWritten.get(`${writtenPointer(resource)}${local.pointer}`);
    if (target === undefined || normalPointer(target) === writtenPointer(target)) continue;
    place.json['$ref'] = pointerFragment(normalPointer(target).slice(normalPointer(resource).length));
  }
}

function resourceOf(place: SchemaPlace): SchemaPlace {
  return place.resource ?? place;
}

/** The pointer of a `$ref` inside its own resource. */
function localPointer(
  place: SchemaPlace,
): { readonly pointer: string; readonly tokens: readonly string[] } | undefined {
  const reference = member(place.json, '$ref');
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  const fragment = splitUri(reference)?.fragment;
  if (fragment === undefined || !fragment.startsWith('/')) return undefined;
  const tokens = fragment
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { pointer: fragment, tokens };
}

function walkTokens(places: Places, from: SchemaPlace, tokens: readonly string[]): SchemaPlace | undefined {
  let at: JsonValue | undefined = from.json;
  let nearest = from;
  let path = '';
  for (const token of tokens) {
    at = step(at, token);
    if (at === undefined) return undefined;
    path = appendPointer(path, token);
    const passed = isJsonObject(at) ? places.get(at) : undefined;
    if (passed === undefined) continue;
    nearest = passed;
    path = '';
  }
  if (!isJsonObject(at)) return undefined;
  if (path === '') return nearest;
  return {
    json: ownedPart(at),
    parent: nearest,
    path,
    writtenPath: path,
    resource: resourceOf(nearest),
    depth: nearest.depth + 1,
  };
}

function step(at: JsonValue, token: string): JsonValue | undefined {
  if (isJsonArray(at)) return /^(?:0|[1-9]\d*)$/.test(token) ? at[Number(token)] : undefined;
  return isJsonObject(at) ? member(at, token) : undefined;
}
