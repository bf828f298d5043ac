import type { JsonObject } from '../../json/json-value.ts';
import { detachSchema } from '../detach-schema.ts';
import type { Dialect } from '../schema.ts';
import { draft07 } from './draft-07.ts';
import { draft202012 } from './draft-2020-12.ts';

/** A document that references may lead to although it is not part of the schema. */
export interface LibraryDocument {
  readonly json: JsonObject | boolean;
  readonly dialect: Dialect;
}

const bundled: ReadonlyMap<string, LibraryDocument> = new Map<string, LibraryDocument>([
  [documentOf(draft07), { json: draft07, dialect: 'draft-07' }],
  ...draft202012.map((json): [string, LibraryDocument] => [documentOf(json), { json, dialect: '2020-12' }]),
]);

/**
 * The meta-schema at this absolute URI, so that a `$ref` to it needs no network.
 *
 * @returns A fresh tree: the constants share branches, while every subschema of an index stands in one place.
 */
export function metaSchema(uri: string): LibraryDocument | undefined {
  const known = bundled.get(uri);
  return known === undefined ? undefined : { json: detachSchema(known.json), dialect: known.dialect };
}

function documentOf({ $id }: JsonObject): string {
  return typeof $id === 'string' ? $id.replace('#', '') : '';
}
