// A small office that is gone when the demonstration ends: orders in a SQLite file, and a folder to write into.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

const ORDERS = [
  ['Acme', '2025-01-14', 1200.5],
  ['Borealis', '2025-02-03', 310],
  ['Acme', '2025-04-22', 860],
  ['Acme', '2025-09-30', 2039.5],
  ['Cygnus', '2025-11-05', 75.25],
];

/** @returns {{ database: string, folder: string, close: () => void }} Paths, and what removes all of it. */
export function createOffice() {
  const root = mkdtempSync(join(tmpdir(), 'toolgate-demo-'));
  const database = join(root, 'orders.db');
  const folder = join(root, 'files');
  mkdirSync(join(folder, 'reports'), { recursive: true });
  writeFileSync(join(folder, 'house-style.md'), 'Reports have a title and one line for each fact.\n');
  const orders = new Database(database);
  orders.exec('CREATE TABLE orders (customer TEXT, day TEXT, amount REAL)');
  const insert = orders.prepare('INSERT INTO orders VALUES (?, ?, ?)');
  for (const order of ORDERS) insert.run(...order);
  orders.close();
  return { database, folder, close: () => rmSync(root, { recursive: true, force: true }) };
}
