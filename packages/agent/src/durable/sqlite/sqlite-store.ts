import type { JournalStore, NewEntry, StoredEntry, StoredRun, StoredWait } from '../journal-store.ts';
import type { SqliteDriver, SqliteValue } from './sqlite-driver.ts';
import { PRAGMAS, SCHEMA_VERSION, TABLES } from './sqlite-schema.ts';

/** A cap on one stored text, so that one result cannot fill the disk: 64 MiB. */
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/**
 * A journal in one SQLite file, on a local disk. Several processes may work on it at the same time. Every method is one
 * transaction, and on the disk when it returns.
 *
 * @param driver - Owned by the store from here on.
 * @throws Error for a file that is no journal, or one of a newer version.
 */
export function createSqliteStore(driver: SqliteDriver): JournalStore {
  driver.exec(PRAGMAS);
  migrate(driver);

  const statements = new Map<string, ReturnType<SqliteDriver['prepare']>>();
  const prepared = (sql: string): ReturnType<SqliteDriver['prepare']> => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = driver.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const change = (sql: string, ...parameters: readonly SqliteValue[]): boolean =>
    Number(prepared(sql).run(...parameters.map(checked)).changes) > 0;
  const first = <Row>(sql: string, ...parameters: readonly SqliteValue[]): Row | undefined =>
    (prepared(sql).get(...parameters) ?? undefined) as Row | undefined;
  const rows = <Row>(sql: string, ...parameters: readonly SqliteValue[]): readonly Row[] =>
    prepared(sql).all(...parameters) as readonly Row[];
  const atomically = <Result>(work: () => Result): Result => {
    driver.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      driver.exec('COMMIT');
      return result;
    } catch (error) {
      driver.exec('ROLLBACK');
      throw error;
    }
  };
  const isHeld = (runId: string, epoch: number): boolean =>
    first(
      "SELECT 1 FROM runs WHERE run_id = ? AND epoch = ? AND phase IN ('running', 'waiting')",
      runId,
      epoch,
    ) !== undefined;

  return {
    createRun: ({ runId, loopVersion, input, now }) =>
      change(
        'INSERT INTO runs (run_id, loop_version, input, wake_at, created_at) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING',
        runId,
        loopVersion,
        input,
        now,
      ),
    readRun: (runId) =>
      first<StoredRun>(
        'SELECT run_id AS runId, loop_version AS loopVersion, input, phase, ending FROM runs WHERE run_id = ?',
        runId,
      ),
    claimableRuns: (now, loopVersions, limit) =>
      rows<{ runId: string; loopVersion: number }>(
        `SELECT run_id AS runId, loop_version AS loopVersion FROM runs
         WHERE phase IN ('running', 'waiting') AND held_until <= ? AND wake_at <= ? ORDER BY created_at LIMIT ?`,
        now,
        now,
        // Runs of other versions may stand before ours.
        limit * 8,
      )
        .filter(({ loopVersion }) => loopVersions.includes(loopVersion))
        .slice(0, limit)
        .map(({ runId }) => runId),
    claim: (runId, owner, now, until) =>
      atomically(() => {
        const taken = change(
          `UPDATE runs SET epoch = epoch + 1, owner = ?, held_until = ?, phase = 'running'
           WHERE run_id = ? AND phase IN ('running', 'waiting') AND held_until <= ?`,
          owner,
          until,
          runId,
          now,
        );
        return taken
          ? first<{ epoch: number }>('SELECT epoch FROM runs WHERE run_id = ?', runId)?.epoch
          : undefined;
      }),
    renew: (runId, epoch, until) =>
      change(
        "UPDATE runs SET held_until = ? WHERE run_id = ? AND epoch = ? AND phase IN ('running', 'waiting')",
        until,
        runId,
        epoch,
      ),
    release: (runId, epoch) => {
      change('UPDATE runs SET held_until = 0 WHERE run_id = ? AND epoch = ?', runId, epoch);
    },
    park: (runId, epoch, key, wakeAt) => {
      change(
        `UPDATE runs SET phase = 'waiting', held_until = 0, wake_at = CASE
           WHEN EXISTS (SELECT 1 FROM waits WHERE waits.run_id = runs.run_id AND key = ? AND outcome IS NOT NULL) THEN 0
           ELSE ? END
         WHERE run_id = ? AND epoch = ? AND phase IN ('running', 'waiting')`,
        key,
        wakeAt,
        runId,
        epoch,
      );
    },
    end: (runId, epoch, phase, ending) =>
      change(
        `UPDATE runs SET phase = ?, ending = ?, held_until = 0 WHERE run_id = ? AND phase IN ('running', 'waiting')
         AND (epoch = ? OR ? = 'any')`,
        phase,
        ending,
        runId,
        epoch === 'any' ? -1 : epoch,
        epoch === 'any' ? 'any' : 'one',
      ),
    reopen: (runId) =>
      change(
        "UPDATE runs SET phase = 'running', ending = NULL, wake_at = 0 WHERE run_id = ? AND phase = 'stuck'",
        runId,
      ),

    readEntries: (runId) =>
      rows<StoredEntry>(
        'SELECT position, name, op, effect, attempts, outcome FROM entries WHERE run_id = ? ORDER BY position',
        runId,
      ),
    begin: (runId, epoch, entries: readonly NewEntry[]) =>
      atomically(() => {
        if (!isHeld(runId, epoch)) return false;
        for (const { position, name, op, effect } of entries) {
          const added = change(
            'INSERT INTO entries (run_id, position, name, op, effect) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
            runId,
            position,
            name,
            op,
            effect,
          );
          // The run is ours, so nobody else can have started this very step.
          if (!added) throw new Error('the journal already has this position');
        }
        return true;
      }),
    beginAgain: (runId, epoch, position) =>
      change(
        `UPDATE entries SET attempts = attempts + 1 WHERE run_id = ? AND position = ? AND outcome IS NULL
         AND EXISTS (SELECT 1 FROM runs WHERE run_id = ? AND epoch = ? AND phase IN ('running', 'waiting'))`,
        runId,
        position,
        runId,
        epoch,
      ),
    settle: (runId, position, outcome) => {
      const settled = change(
        'UPDATE entries SET outcome = ? WHERE run_id = ? AND position = ? AND outcome IS NULL',
        outcome,
        runId,
        position,
      );
      if (!settled)
        change('INSERT INTO evidence (run_id, position, outcome) VALUES (?, ?, ?)', runId, position, outcome);
      return settled;
    },

    openWait: ({ runId, key, deadline, note }, epoch) =>
      atomically(() => {
        if (!isHeld(runId, epoch)) return undefined;
        change(
          `INSERT INTO waits (run_id, key, deadline, note, opened) VALUES (?, ?, ?, ?, 1)
           ON CONFLICT (run_id, key) DO UPDATE SET deadline = excluded.deadline, note = excluded.note, opened = 1`,
          runId,
          key,
          deadline,
          note,
        );
        return readWait(runId, key);
      }),
    readWait,
    answerWait: (runId, key, outcome) =>
      atomically(() => {
        const run = first<{ phase: string }>('SELECT phase FROM runs WHERE run_id = ?', runId);
        if (run === undefined) return 'unknown';
        if (readWait(runId, key)?.outcome != null) return 'already';
        if (!['running', 'waiting', 'stuck'].includes(run.phase)) return 'unknown';
        change(
          `INSERT INTO waits (run_id, key, note, opened, outcome) VALUES (?, ?, 'null', 0, ?)
           ON CONFLICT (run_id, key) DO UPDATE SET outcome = excluded.outcome`,
          runId,
          key,
          outcome,
        );
        change('UPDATE runs SET wake_at = 0 WHERE run_id = ?', runId);
        return 'accepted';
      }),
    openWaits: (limit, offset) =>
      rows<StoredWait>(
        `SELECT waits.run_id AS runId, key, deadline, note, outcome FROM waits JOIN runs USING (run_id)
         WHERE opened = 1 AND outcome IS NULL AND phase IN ('running', 'waiting')
         ORDER BY runs.created_at, waits.rowid LIMIT ? OFFSET ?`,
        limit,
        offset,
      ),
    close: () => {
      driver.close();
    },
  };

  function readWait(runId: string, key: string): StoredWait | undefined {
    return first<StoredWait>(
      'SELECT run_id AS runId, key, deadline, note, outcome FROM waits WHERE run_id = ? AND key = ?',
      runId,
      key,
    );
  }
}

function checked(value: SqliteValue): SqliteValue {
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) {
    throw new Error('a text is too large for the journal');
  }
  return value;
}

function migrate(driver: SqliteDriver): void {
  driver.exec('BEGIN IMMEDIATE');
  try {
    const row = driver.prepare('PRAGMA user_version').get() as { user_version?: unknown } | undefined;
    const version = Number(row?.user_version);
    if (version === 0) {
      driver.exec(TABLES);
      driver.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    } else if (version !== SCHEMA_VERSION) {
      throw new Error(`the journal has version ${version}; this release reads version ${SCHEMA_VERSION}`);
    }
    driver.exec('COMMIT');
  } catch (error) {
    driver.exec('ROLLBACK');
    throw error;
  }
}
