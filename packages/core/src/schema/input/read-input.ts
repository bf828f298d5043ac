import { freezeJson } from '../../json/freeze-json.ts';
import { detachSchema } from '../detach-schema.ts';
import { intakeLimits } from '../intake/intake-limits.ts';
import { normaliseSchema } from '../intake/normalise-schema.ts';
import { type OwnedSchema, ownedCopy, ownedPart } from '../intake/schema-place.ts';
import type { Dialect } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { canonicaliseDefinitions } from './canonical-definitions.ts';
import { closeObjects } from './close-objects.ts';
import { convertLibrary } from './convert-library.ts';
import type { InferOutput } from './infer.ts';
import type { Input, InputSource, ReadInputOptions } from './input.ts';
import { type LibraryParts, libraryPartsOf, vendorOfShape } from './library-schema.ts';
import { libraryVerdict } from './library-verdict.ts';
import { liftRoot } from './lift-root.ts';
import { awaitNextMoment, dropMadeDefaults, hasDefaults } from './made-defaults.ts';

/**
 * Reads an input declaration: the schema of a library, or a plain JSON Schema.
 *
 * A library's JSON Schema is what is advertised and enforced; its own `validate` comes second and gives the typed
 * value. Objects of a library are closed, unless it says that they are open or the options allow unknown members. A
 * plain JSON Schema is taken as it is written.
 *
 * @param source - Read once; a later change of it does not matter to `json`.
 * @throws {@link SchemaError} `schema/input-unsupported` for a library that cannot say its JSON Schema, or whose
 * JSON Schema says less than the library; `schema/not-a-schema`, `schema/too-deep`, `schema/too-large`.
 */
export function readInput<Source extends InputSource>(
  source: Source,
  options: ReadInputOptions = {},
): Input<InferOutput<Source>> {
  const parts = partsOf(source);
  return parts === undefined ? readPlain(source, options) : readLibrary(source, parts, options);
}

function partsOf(source: unknown): LibraryParts | undefined {
  try {
    const parts = libraryPartsOf(source);
    const vendor = parts === undefined ? vendorOfShape(source) : undefined;
    if (vendor === undefined) return parts;
    const message = `The input is an object with schemas of ${vendor} as members: wrap it in an object schema of ${vendor}`;
    throw new SchemaError('schema/input-unsupported', message);
  } catch (cause) {
    if (SchemaError.is(cause)) throw cause;
    throw new SchemaError('schema/not-a-schema', 'Reading the schema threw', { cause });
  }
}

function readLibrary<Output>(source: unknown, parts: LibraryParts, options: ReadInputOptions): Input<Output> {
  const json = canonicalJsonOf(source, parts);
  if (hasDefaults(json)) {
    // Asked now: a default may have been made later than the reading began.
    const now = Date.now();
    awaitNextMoment(now);
    dropMadeDefaults(json, canonicalJsonOf(source, parts), now);
  }
  if (options.unknownMembers !== 'allow') closeObjects(json, { alternatives: 'exclusive' });
  const { vendor, validate } = parts;
  return Object.freeze({
    json: freezeJson(json),
    library: vendor,
    ...(validate === undefined
      ? {}
      : {
          validate: (value: Parameters<typeof libraryVerdict>[2]) =>
            libraryVerdict<Output>(vendor, validate, value),
        }),
  });
}

function canonicalJsonOf(source: unknown, parts: LibraryParts): OwnedSchema {
  const json = convertLibrary(source, parts);
  liftRoot(json);
  canonicaliseDefinitions(json);
  return json;
}

function readPlain<Output>(source: unknown, options: ReadInputOptions): Input<Output> {
  const json = detachSchema(source);
  if (typeof json === 'boolean')
    throw new SchemaError(
      'schema/not-a-schema',
      'The input of a tool is described by an object, not by a boolean',
    );
  if (options.unknownMembers !== 'refuse') return Object.freeze({ json: freezeJson(json) });
  const normal = normaliseSchema(json, { trust: 'own', strict: false, limits: intakeLimits.own });
  const closed: OwnedSchema = typeof normal.json === 'boolean' ? ownedCopy(json) : ownedPart(normal.json);
  closeObjects(closed, { alternatives: 'overlapping', dialect: normal.dialect satisfies Dialect });
  return Object.freeze({ json: freezeJson(closed) });
}
