import { isArrayBuffer } from 'node:util/types';
import { type AliasedRawBuilder, sql } from 'kysely';
import type { StorageKind } from '../storage/storage-kind.ts';

/**
 * Columns as they are read to be checked. SQLite keeps any bytes in a text, and any type in a column: its binding cuts a text
 * at a zero byte and ends the whole process over one that is no UTF-8, so that texts come as bytes from there.
 */
export function storedColumns<Name extends string>(
  kind: StorageKind,
  numbers: readonly Name[],
  texts: readonly Name[],
): readonly AliasedRawBuilder<unknown, Name>[] {
  if (kind === 'postgres')
    return [...numbers, ...texts].map((name) => sql<unknown>`${sql.ref(name)}`.as(name));
  const column = (name: Name, type: string, value: string): AliasedRawBuilder<unknown, Name> =>
    sql<unknown>`${sql.raw(`case typeof(${name}) when '${type}' then ${value} end`)}`.as(name);
  return [
    ...numbers.map((name) => column(name, 'integer', name)),
    ...texts.map((name) => column(name, 'text', `cast(${name} as blob)`)),
  ];
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a column; `undefined` for what is none. */
export function readStoredText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isArrayBuffer(value)) return undefined;
  try {
    return UTF8.decode(value);
  } catch {
    return undefined;
  }
}
