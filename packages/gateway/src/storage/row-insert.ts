import { CompiledQuery } from 'kysely';
import type { StorageKind } from './storage.ts';
import type { Tables, Write } from './tables.ts';

/** What a column of ours can hold. */
export type ColumnValue = string | number | null;

/** Rows for one table and always the same columns. */
export interface RowInsertConfig<Table extends keyof Tables> {
  readonly kind: StorageKind;
  readonly table: Table;
  readonly columns: readonly (keyof Tables[Table] & string)[];
  /** What becomes of a row whose key is there already. Default `'fail'`. */
  readonly duplicates?: 'fail' | 'ignore';
}

/**
 * Inserts rows as part of a transaction.
 *
 * @param values - Of all rows, one after the other, in the order of the columns.
 */
export type RowInsert = (transaction: Write, values: readonly ColumnValue[]) => Promise<void>;

/** Rows of one full statement: enough that a call of the database is a small part of it, few enough for its parameters. */
const ROWS = 50;

/**
 * Makes the insert of the many small rows of logs. A query builder would build, freeze, visit and print a tree with a node
 * for each value of each row, which costs more than the database does; here the text is printed once.
 */
export function createRowInsert<Table extends keyof Tables>(config: RowInsertConfig<Table>): RowInsert {
  const width = config.columns.length;
  const full = writeInsert(config, ROWS);
  return async (transaction, values) => {
    const size = width * ROWS;
    for (let from = 0; from < values.length; from += size) {
      const part = values.length <= size ? values : values.slice(from, from + size);
      const text = part.length === size ? full : writeInsert(config, part.length / width);
      await transaction.executeQuery(CompiledQuery.raw(text, [...part]));
    }
  };
}

function writeInsert<Table extends keyof Tables>(
  { columns, duplicates = 'fail', kind, table }: RowInsertConfig<Table>,
  rows: number,
): string {
  let parameter = 0;
  const place = (): string => {
    parameter += 1;
    return kind === 'sqlite' ? '?' : `$${parameter}`;
  };
  const tuples = Array.from({ length: rows }, () => `(${columns.map(place).join(', ')})`);
  const ending = duplicates === 'ignore' ? ' on conflict do nothing' : '';
  return `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}${ending}`;
}
