/** Version of the tables; kept in `user_version` of the file. */
export const SCHEMA_VERSION = 1;

/**
 * The tables of a journal. `FULL` means that a commit is on the disk when it returns, also over a power cut; WAL lets
 * readers go on meanwhile. The busy timeout bounds how long one worker waits for another one's write.
 */
export const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 10000;
  PRAGMA foreign_keys = ON;
`;

export const TABLES = `
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    loop_version INTEGER NOT NULL,
    input TEXT NOT NULL,
    phase TEXT NOT NULL DEFAULT 'running',
    ending TEXT,
    owner TEXT,
    epoch INTEGER NOT NULL DEFAULT 0,
    held_until REAL NOT NULL DEFAULT 0,
    wake_at REAL,
    created_at REAL NOT NULL
  ) STRICT;
  CREATE INDEX runs_claimable ON runs (wake_at, held_until) WHERE phase IN ('running', 'waiting');

  CREATE TABLE entries (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    op TEXT NOT NULL,
    effect TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 1,
    outcome TEXT,
    PRIMARY KEY (run_id, position)
  ) STRICT, WITHOUT ROWID;

  -- What a worker that had lost its run still reported: never state, kept for whoever looks into it.
  CREATE TABLE evidence (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    position INTEGER NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;

  CREATE TABLE waits (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    key TEXT NOT NULL,
    deadline REAL,
    note TEXT NOT NULL,
    opened INTEGER NOT NULL,
    outcome TEXT,
    PRIMARY KEY (run_id, key)
  ) STRICT;
`;
