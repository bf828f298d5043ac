import type { JsonObject } from '@toolgate/core';
import type { CliIo } from '../terminal/cli-io.ts';
import { type Cell, type Column, formatTable } from '../terminal/format-table.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import type { Listed } from './list-pages.ts';

/** How entries are shown. */
export interface WritePageOptions {
  readonly json: boolean;
  readonly limit: number;
  readonly columns: readonly Column[];
  readonly rowOf: (entry: JsonObject) => readonly Cell[];
}

/** Writes entries as a table or as JSON, and says where there are more. */
export async function writePage(
  { items, more }: Listed,
  { columns, json, limit, rowOf }: WritePageOptions,
  io: CliIo,
): Promise<number> {
  if (json) {
    await io.stdout.write(`${jsonText({ items, more })}\n`);
    return 0;
  }
  const options = { paint: createPaint(io.stdout, io.env), width: io.stdout.columns };
  const table = items.length === 0 ? 'There are none.\n' : formatTable(columns, items.map(rowOf), options);
  await io.stdout.write(table);
  if (more) await io.stderr.write(`There are more than ${limit}; --limit shows them.\n`);
  return 0;
}
