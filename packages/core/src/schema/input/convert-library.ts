import { detachSchema } from '../detach-schema.ts';
import { isAnnotation } from '../intake/known-keywords.ts';
import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { SchemaError } from '../schema-error.ts';
import { addArkTypeDefaults } from './arktype-defaults.ts';
import { arkTypeOptions } from './arktype-options.ts';
import { dropPatterns } from './drop-patterns.ts';
import { inspectLibrary } from './inspect-library.ts';
import { type LibraryParts, versionOf } from './library-schema.ts';
import { lossOf } from './library-shape.ts';
import { valibotOptions } from './valibot-options.ts';
import { zodOptions } from './zod-options.ts';

/** Longest piece of a library's own message that is repeated. */
const maxReasonLength = 160;

/** What to do instead, for libraries that need a step more. */
const fixes: ReadonlyMap<string, string> = new Map([
  ['valibot', 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'],
  ['zod', 'use Zod 4.2 or later, imported from "zod"; for zod/mini give z.toJSONSchema(schema)'],
  ['arktype', 'use ArkType 2.1.28 or later'],
]);

/**
 * The JSON Schema of what a library's schema takes in, checked against what the library tells of itself.
 *
 * @param source - The library's schema.
 * @returns Plain JSON in 2020-12, without `$schema`, that nobody else holds.
 * @throws {@link SchemaError} `schema/input-unsupported`, naming the library, its version where it tells it, and
 * what to do; `schema/input-asynchronous` for an `async` check or transform that can be seen.
 */
export function convertLibrary(source: unknown, parts: LibraryParts): OwnedSchema {
  const { toJsonSchema } = parts;
  if (toJsonSchema === undefined) {
    const fix = fixes.get(parts.vendor) ?? 'give its JSON Schema, or use a library with Standard JSON Schema';
    throw unsupported(source, parts, `does not offer its JSON Schema: ${fix}`);
  }
  const converted = detachSchema(convert(source, parts, toJsonSchema));
  if (typeof converted === 'boolean') throw unsupported(source, parts, 'gave a boolean for its JSON Schema');
  const json = ownedPart(converted);
  delete json['$schema'];
  if (Object.keys(json).every(isAnnotation)) {
    throw unsupported(source, parts, 'has an empty JSON Schema, but the input of a tool is an object');
  }
  const { isAsynchronous, wantsFile, flaggedPatterns } = inspectLibrary(source);
  if (wantsFile)
    throw unsupported(
      source,
      parts,
      'has a file in it, which no JSON value is: take its base64 or its address',
    );
  if (isAsynchronous) {
    const what = 'has an asynchronous check or transform: checks with I/O belong in the handler';
    throw new SchemaError('schema/input-asynchronous', `The schema of ${nameOf(source, parts)} ${what}`);
  }
  const loss = lossOf(source, json);
  if (loss !== undefined) throw unsupported(source, parts, `has a JSON Schema that ${loss}`);
  dropPatterns(json, flaggedPatterns);
  if (parts.vendor === 'arktype') addArkTypeDefaults(source, json);
  return json;
}

function convert(
  source: unknown,
  parts: LibraryParts,
  toJsonSchema: NonNullable<LibraryParts['toJsonSchema']>,
): unknown {
  try {
    const { vendor } = parts;
    return toJsonSchema({
      target: 'draft-2020-12',
      ...arkTypeOptions(vendor),
      ...valibotOptions(vendor),
      ...zodOptions(vendor),
    });
  } catch (cause) {
    throw unsupported(source, parts, `cannot say its JSON Schema: ${reasonOf(cause)}`, cause);
  }
}

function reasonOf(cause: unknown): string {
  const message: unknown = cause instanceof Error ? cause.message : undefined;
  if (typeof message !== 'string' || message === '') return 'it threw';
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength);
}

function unsupported(source: unknown, parts: LibraryParts, what: string, cause?: unknown): SchemaError {
  return new SchemaError(
    'schema/input-unsupported',
    `The schema of ${nameOf(source, parts)} ${what}`,
    cause === undefined ? {} : { cause },
  );
}

function nameOf(source: unknown, { vendor }: LibraryParts): string {
  const version = versionOf(source);
  return version === undefined ? vendor : `${vendor} ${version}`;
}
