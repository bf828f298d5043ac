import { appendPointer, type JsonValue } from '@toolgate/core';

/** Where the environment is named in a text, `${env:NAME}` or `${env:NAME:-default}`; `$${` is a literal `${`. */
export const HOLE: RegExp = /\$\$\{|\$\{(?:env:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g;

/** A variable of the environment that a text names. */
export interface Placeholder {
  readonly pointer: string;
  readonly name: string;
  readonly otherwise: string | undefined;
}

/** All placeholders in the texts of a configuration, in its own order. */
export function placeholdersOf(value: JsonValue, pointer = ''): readonly Placeholder[] {
  if (typeof value === 'string') {
    return [...value.matchAll(HOLE)].flatMap(([, name, otherwise]) =>
      name === undefined ? [] : [{ pointer, name, otherwise }],
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    placeholdersOf(member, appendPointer(pointer, name)),
  );
}
