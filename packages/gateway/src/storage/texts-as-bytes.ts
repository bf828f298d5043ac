import { isArrayBuffer } from 'node:util/types';
import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectAllNode,
  SelectionNode,
  type SelectQueryNode,
  TableNode,
} from 'kysely';

/**
 * Has texts of SQLite read as bytes: its binding ends the whole process over a text that is no UTF-8, and cuts one at a
 * zero byte. What is no UTF-8 has U+FFFD in its place, and whoever reads it finds that it is not what was stored. Columns
 * that a query writes out for itself stay as they are, and so do queries inside another one, which its own builder makes.
 *
 * @param columns - The names of all columns, by table.
 */
export function textsAsBytes(columns: ReadonlyMap<string, readonly string[]>): KyselyPlugin {
  return {
    transformQuery: ({ node }) => (node.kind === 'SelectQueryNode' ? asBytes(node, columns) : node),
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(withTexts) }),
  };
}

/** Before the name of a column in the result: under its own name, the order of the rows would be that of the bytes. */
const MARK = 'bytes:';

function asBytes(query: SelectQueryNode, columns: ReadonlyMap<string, readonly string[]>): RootOperationNode {
  const table = query.from?.froms[0];
  if (table === undefined || !TableNode.is(table)) return query;
  const all = columns.get(table.table.identifier.name) ?? [];
  const selections = (query.selections ?? []).flatMap((node) => {
    const names = SelectAllNode.is(node.selection) ? all : columnOf(node.selection);
    return names.length === 0 ? node : names.map(columnAsBytes);
  });
  return { ...query, selections };
}

function columnOf(selection: OperationNode): readonly string[] {
  if (!ReferenceNode.is(selection)) return [];
  return ColumnNode.is(selection.column) ? [selection.column.column.name] : [];
}

/** Printable ASCII comes as it is, in a third of the time. */
function columnAsBytes(name: string): SelectionNode {
  const column = ColumnNode.create(name);
  const value = RawNode.create(
    ['case when ', " glob '*[^ -~]*' or instr(", ', char(0)) then cast(', ' as blob) else ', ' end'],
    [column, column, column, column],
  );
  return SelectionNode.create(AliasNode.create(value, IdentifierNode.create(`${MARK}${name}`)));
}

const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });

function withTexts(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (!name.startsWith(MARK)) read[name] = value;
    else read[name.slice(MARK.length)] = isArrayBuffer(value) ? LENIENT.decode(value) : value;
  }
  return read;
}
