/** What ArkType asks about a part that JSON Schema cannot express. `base` is what it could express of it. */
interface Inexpressible {
  readonly base: Readonly<Record<string, unknown>>;
  readonly unit?: unknown;
}

/** Parts that are no JSON values at all, by ArkType's names. */
const notJson = ['arrayObject', 'date', 'domain', 'morph', 'proto', 'symbolKey'];

/**
 * Conversion options for ArkType, which by default lets a part without JSON Schema (a Date, a bigint, a Map) vanish
 * into the empty schema. A part that says nothing is refused instead; one that says something less is kept, since
 * ArkType's own check follows. `undefined` never arrives in JSON, so as one of several values it is left out.
 */
export function arkTypeOptions(vendor: string): {
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
} {
  if (vendor !== 'arktype') return {};
  const refuse = ({ base }: Inexpressible): unknown => {
    if (Object.keys(base).length > 0) return base;
    throw new TypeError('a part of it is no JSON value (Date, bigint, symbol, Map or another class)');
  };
  const unit = (part: Inexpressible): unknown => (part.unit === undefined ? { not: {} } : refuse(part));
  const symbolKey = (): never => {
    throw new TypeError('a part of it has a symbol as member name');
  };
  const fallback = { ...Object.fromEntries(notJson.map((name) => [name, refuse])), unit, symbolKey };
  return { libraryOptions: { fallback } };
}
