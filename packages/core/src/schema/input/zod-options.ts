/** What Zod shows of a part that it has converted. */
interface Converted {
  readonly zodSchema: {
    readonly _zod?: { readonly def?: { readonly type?: unknown; readonly mode?: unknown } };
  };
  readonly jsonSchema: Record<string, unknown>;
}

/** Conversion options for Zod, which says of a loose record what some names lead to, and not that the others may lead to anything. */
export function zodOptions(vendor: string): {
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
} {
  if (vendor !== 'zod') return {};
  const override = ({ zodSchema, jsonSchema }: Converted): void => {
    const def = zodSchema._zod?.def;
    if (def?.type === 'record' && def.mode === 'loose') jsonSchema['additionalProperties'] ??= {};
  };
  return { libraryOptions: { override } };
}
