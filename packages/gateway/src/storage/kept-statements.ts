import type { SqliteStatement } from 'kysely';

/** Statements that were compiled, by their text. */
export interface KeptStatements {
  /** The statement of a text. */
  of(sql: string): SqliteStatement;
  /** Forgets all of them. */
  clear(): void;
}

/** More than the long inserts there are; each is some kilobytes. */
const MOST = 32;

/**
 * Keeps inserts for the next time, those that were used last: one of many rows takes longer to compile than to run.
 * Everything else is compiled when it is asked for. An insert never finds the file taken, because a transaction takes it
 * before; one that failed for another reason is not used again.
 */
export function createKeptStatements(prepare: (sql: string) => SqliteStatement): KeptStatements {
  const kept = new Map<string, SqliteStatement>();
  const keep = (sql: string): SqliteStatement => {
    const statement = kept.get(sql) ?? forgetting(prepare(sql), () => kept.delete(sql));
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
  return {
    of: (sql) => (isInsert(sql) ? keep(sql) : prepare(sql)),
    clear: () => kept.clear(),
  };
}

/** Whether a text writes and gives no rows: a statement that does may be left half read. */
function isInsert(sql: string): boolean {
  return sql.startsWith('insert into ') && !sql.includes(' returning ');
}

function forgetting(statement: SqliteStatement, forget: () => void): SqliteStatement {
  return {
    reader: false,
    all: (parameters) => statement.all(parameters),
    iterate: (parameters) => statement.iterate(parameters),
    run: (parameters) => {
      try {
        return statement.run(parameters);
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
