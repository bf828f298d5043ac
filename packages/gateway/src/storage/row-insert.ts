import type { ColumnValue, Steps } from './steps.ts';
import type { StorageKind } from './storage-kind.ts';
import type { Tables } from './tables.ts';

/** Rows for one table and always the same columns. */
export interface RowInsertConfig<Table extends keyof Tables> {
  readonly table: Table;
  readonly columns: readonly (keyof Tables[Table] & string)[];
  /** What becomes of a row whose key is there already. Default `'fail'`. */
  readonly duplicates?: 'fail' | 'ignore';
}

/**
 * Inserts rows.
 *
 * @param values - Of all rows, one after the other, in the order of the columns.
 */
export type RowInsert = (kind: StorageKind, values: readonly ColumnValue[]) => Steps<void>;

/** Rows of the largest statement: enough that a call of the database is a small part of it, few enough for its parameters. */
const MOST_ROWS = 64;

/**
 * Makes the insert of many small rows. A query builder would build, freeze, visit and print a tree with a node for each value
 * of each row, which costs more than the database does; here each text is printed once. Rows are split into powers of two,
 * so that there are few texts, and each of them is compiled already when it is needed.
 */
export function createRowInsert<Table extends keyof Tables>(config: RowInsertConfig<Table>): RowInsert {
  const width = config.columns.length;
  const texts: Record<StorageKind, string[]> = { postgres: [], sqlite: [] };
  return function* insert(kind, values) {
    let rows = MOST_ROWS;
    for (let from = 0; from < values.length; from += width * rows) {
      while (from + width * rows > values.length) rows /= 2;
      const sql = texts[kind][rows] ?? writeInsert(config, rows, kind);
      texts[kind][rows] = sql;
      yield { sql, parameters: values.slice(from, from + width * rows) };
    }
  };
}

function writeInsert<Table extends keyof Tables>(
  { columns, duplicates = 'fail', table }: RowInsertConfig<Table>,
  rows: number,
  kind: StorageKind,
): string {
  let parameters = 0;
  const place = (): string => {
    parameters += 1;
    return kind === 'postgres' ? `$${parameters}` : '?';
  };
  const tuples = Array.from({ length: rows }, () => `(${columns.map(place).join(', ')})`);
  const ending = duplicates === 'ignore' ? ' on conflict do nothing' : '';
  return `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}${ending}`;
}
