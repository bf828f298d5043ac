import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { testDurableEngine } from '../../test-support/durable-conformance.ts';
import { createJournalHost } from './journal-host.ts';
import type { JournalStore } from './journal-store.ts';
import { createMemoryStore } from './memory-store.ts';
import { openLibsql } from './sqlite/sqlite-engine.ts';
import { createSqliteStore } from './sqlite/sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-durable-'));
const stores: JournalStore[] = [];
afterAll(() => {
  // A worker of a crash test never settles; its file is closed for it.
  for (const store of stores) store.close();
  rmSync(folder, { recursive: true, force: true });
});

testDurableEngine('memory', () => {
  const store = createMemoryStore();
  // Workers share the store, so that no worker may close it.
  return { worker: (config) => createJournalHost({ ...store, close: () => undefined }, config) };
});

let files = 0;
testDurableEngine('sqlite', () => {
  const path = join(folder, `${++files}.db`);
  return {
    worker: (config) => {
      const store = createSqliteStore(openLibsql(path));
      stores.push(store);
      return createJournalHost({ ...store, close: () => undefined }, config);
    },
  };
});
