/** The `~standard` part of a library's schema, as far as it can be relied on. */
export interface LibraryParts {
  readonly vendor: string;
  /** Asks for the JSON Schema of what the library takes in. */
  readonly toJsonSchema?: (options: ConversionOptions) => unknown;
  readonly validate?: (value: unknown) => unknown;
}

/** What a conversion is asked for (Standard JSON Schema, version 1). */
export interface ConversionOptions {
  readonly target: 'draft-2020-12';
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
}

/** Longest name of a library that is kept. */
const maxVendorLength = 40;

/**
 * The `~standard` part of a value, or undefined when it has none. Each part is read once.
 *
 * @see https://standardschema.dev
 */
export function libraryPartsOf(source: unknown): LibraryParts | undefined {
  const standard = isHolder(source) ? Reflect.get(source, '~standard') : undefined;
  if (!isHolder(standard)) return undefined;
  const vendor: unknown = Reflect.get(standard, 'vendor');
  const validate: unknown = Reflect.get(standard, 'validate');
  const jsonSchema: unknown = Reflect.get(standard, 'jsonSchema');
  const input: unknown = isHolder(jsonSchema) ? Reflect.get(jsonSchema, 'input') : undefined;
  return {
    vendor:
      typeof vendor === 'string' && vendor !== '' ? vendor.slice(0, maxVendorLength) : 'an unnamed library',
    ...(typeof input === 'function'
      ? { toJsonSchema: (options) => Reflect.apply(input, jsonSchema, [options]) }
      : {}),
    ...(typeof validate === 'function'
      ? { validate: (value) => Reflect.apply(validate, standard, [value]) }
      : {}),
  };
}

/**
 * The vendor of the schemas that are the values of an object: the shape of an object schema, given where the object
 * schema itself is meant.
 */
export function vendorOfShape(source: unknown): string | undefined {
  if (!isHolder(source) || typeof source === 'function') return undefined;
  for (const value of Object.values(source)) {
    const vendor = libraryPartsOf(value)?.vendor ?? (versionOf(value) === undefined ? undefined : 'zod');
    if (vendor !== undefined) return vendor;
  }
  return undefined;
}

/** The version that a schema object tells of its library. */
export function versionOf(source: unknown): string | undefined {
  if (!isHolder(source)) return undefined;
  const zod: unknown = Reflect.get(source, '_zod');
  const version: unknown = isHolder(zod) ? Reflect.get(zod, 'version') : undefined;
  if (isHolder(version)) {
    const numbers = ['major', 'minor', 'patch'].map((part) => Number(Reflect.get(version, part)));
    return numbers.every(Number.isInteger) ? numbers.join('.') : undefined;
  }
  const definition: unknown = Reflect.get(source, '_def');
  const typeName: unknown = isHolder(definition) ? Reflect.get(definition, 'typeName') : undefined;
  return typeof typeName === 'string' && typeName.startsWith('Zod') ? '3' : undefined;
}

function isHolder(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
