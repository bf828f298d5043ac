// The tools of the agent: a database to read, a folder, a calculator, and two that go wrong on purpose.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { defineTool, ToolError } from '@toolgate/core';
import Database from 'libsql';
import { z } from 'zod';

const MAX_ROWS = 50;

/** @param {{ database: string, folder: string }} office */
export function createOfficeTools({ database, folder }) {
  /** A path inside the folder. @param {string} path */
  const inside = (path) => {
    const file = resolve(folder, path);
    if (file.startsWith(folder + sep)) return file;
    throw new ToolError('Only paths inside the folder can be used, such as reports/orders.md.');
  };

  const queryOrders = defineTool({
    name: 'query_orders',
    description: 'Runs one SELECT on the table orders (customer, day, amount). At most 50 rows.',
    profile: { class: 'read', timeoutMs: 5_000 },
    input: z.object({ sql: z.string().max(2_000) }),
    execute: ({ sql }) => {
      if (!/^\s*select\b/iu.test(sql) || sql.includes(';'))
        throw new ToolError('Only one SELECT is allowed.');
      const orders = new Database(database, { readonly: true });
      try {
        return orders.prepare(sql).all().slice(0, MAX_ROWS);
      } catch (error) {
        throw new ToolError(`The query is wrong: ${error instanceof Error ? error.message : 'unknown'}`);
      } finally {
        orders.close();
      }
    },
  });

  const calculate = defineTool({
    name: 'calculate',
    description: 'Adds or multiplies numbers.',
    profile: { class: 'read' },
    input: z.object({ operation: z.enum(['add', 'multiply']), numbers: z.array(z.number()).min(1).max(100) }),
    execute: ({ operation, numbers }) =>
      operation === 'add' ? numbers.reduce((a, b) => a + b, 0) : numbers.reduce((a, b) => a * b, 1),
  });

  const readFile = defineTool({
    name: 'read_file',
    description: 'Reads a text file of the folder.',
    profile: { class: 'read' },
    input: z.object({ path: z.string().max(200) }),
    execute: ({ path }) => readFileSync(inside(path), 'utf8'),
  });

  const writeFile = defineTool({
    name: 'write_file',
    description: 'Writes a text file into the folder.',
    profile: { class: 'write', resourceKey: 'folder' },
    input: z.object({ path: z.string().max(200), content: z.string().max(20_000) }),
    execute: ({ path, content }) => {
      const file = inside(path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return `Wrote ${path}.`;
    },
  });

  const exchangeRate = defineTool({
    name: 'exchange_rate',
    description: 'Tells the exchange rate between two currencies.',
    profile: { class: 'read', timeoutMs: 5_000 },
    input: z.object({ from: z.string().length(3), to: z.string().length(3) }),
    execute: () => {
      throw new Error('connect ECONNREFUSED 10.20.30.40:443 with key demo-key-0123456789');
    },
  });

  const sendMail = defineTool({
    name: 'send_mail',
    description: 'Sends a mail to a customer.',
    profile: { class: 'external' },
    input: z.object({ to: z.string().max(200), subject: z.string().max(200), body: z.string().max(20_000) }),
    execute: ({ to }) => `Sent to ${to}. (Not really: this is a demonstration.)`,
  });

  return [queryOrders, calculate, readFile, writeFile, exchangeRate, sendMail];
}
