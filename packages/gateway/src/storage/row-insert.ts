import { CompiledQuery, PostgresAdapter } from 'kysely';
import type { Tables, Write } from './tables.ts';

/** What a column of ours can hold. */
export type ColumnValue = string | number | null;

/** Rows for one table and always the same columns. */
export interface RowInsertConfig<Table extends keyof Tables> {
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
 * Makes the insert of many small rows. A query builder would build, freeze, visit and print a tree with a node for each value
 * of each row, which costs more than the database does; here each text is printed once.
 */
export function createRowInsert<Table extends keyof Tables>(config: RowInsertConfig<Table>): RowInsert {
  const width = config.columns.length;
  const texts: Record<Dialect, string[]> = { postgres: [], sqlite: [] };
  return async (transaction, values) => {
    const dialect = dialectOf(transaction);
    for (let from = 0; from < values.length; from += width * ROWS) {
      const part = values.slice(from, from + width * ROWS);
      const rows = part.length / width;
      texts[dialect][rows] ??= writeInsert(config, rows, dialect);
      await transaction.executeQuery(CompiledQuery.raw(texts[dialect][rows], part));
    }
  };
}

type Dialect = 'postgres' | 'sqlite';

function dialectOf(transaction: Write): Dialect {
  return transaction.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

function writeInsert<Table extends keyof Tables>(
  { columns, duplicates = 'fail', table }: RowInsertConfig<Table>,
  rows: number,
  dialect: Dialect,
): string {
  let parameters = 0;
  const place = (): string => {
    parameters += 1;
    return dialect === 'postgres' ? `$${parameters}` : '?';
  };
  const tuples = Array.from({ length: rows }, () => `(${columns.map(place).join(', ')})`);
  const ending = duplicates === 'ignore' ? ' on conflict do nothing' : '';
  return `insert into ${table} (${columns.join(', ')}) values ${tuples.join(', ')}${ending}`;
}
