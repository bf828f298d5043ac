/** What Valibot asks about a check. `jsonSchema` is what it said of it so far. */
interface Converted {
  readonly valibotAction: { readonly type: string; readonly requirement?: unknown };
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** Checks of a date and a time without seconds or an offset, which Valibot says in formats that want both. */
const MISNAMED: ReadonlySet<string> = new Set(['iso_time', 'iso_date_time']);

/**
 * Conversion options for Valibot: no text would pass both `isoTime` and the format `time`, or `isoDateTime` and `date-time`. The
 * expression by which Valibot checks is said instead.
 */
export function valibotOptions(vendor: string): {
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
} {
  if (vendor !== 'valibot') return {};
  const overrideAction = ({ valibotAction, jsonSchema }: Converted): unknown => {
    const { type, requirement } = valibotAction;
    if (!MISNAMED.has(type) || !(requirement instanceof RegExp)) return undefined;
    const { format: _, ...rest } = jsonSchema;
    return { pattern: requirement.source, ...rest };
  };
  return { libraryOptions: { overrideAction } };
}
