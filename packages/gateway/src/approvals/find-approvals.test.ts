import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely';
import { expect, test } from 'vitest';
import type { ApprovalFilter } from '../ports/approval-store.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { listApprovals } from './find-approvals.ts';

/** How SQLite goes about a list, in its own words. */
async function planOf(storage: Storage, filter: ApprovalFilter): Promise<string> {
  const nodes: RootOperationNode[] = [];
  const watched: Storage = {
    ...storage,
    read: (work) =>
      storage.read((database) =>
        work(
          database.withPlugin({
            transformQuery: ({ node }) => {
              nodes.push(node);
              return node;
            },
            transformResult: async ({ result }) => result,
          }),
        ),
      ),
  };
  await listApprovals(watched, filter, { limit: 100, contents: false }, () => undefined);
  const [node] = nodes;
  if (node === undefined) throw new Error('nothing was asked');
  return storage.read(async (database) => {
    const { sql, parameters } = database.getExecutor().compileQuery(node, createQueryId());
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await database.executeQuery<{ readonly detail: string }>(explained);
    return rows.map(({ detail }) => detail).join('\n');
  });
}

// Both are asked for with each new question: read through, a month of approvals held up everybody for a tenth of a second.
test.each<[string, ApprovalFilter, string]>([
  [
    'what waits for one principal',
    { status: 'pending', origin: 'llm', principal: 'ana' },
    'toolgate_approvals_principal (status=? AND principal=? AND created<?)',
  ],
  [
    'approved calls of a tool',
    { status: 'approved', origin: 'llm', tool: 'pay', place: 'm', principal: 'ana' },
    'toolgate_approvals_tool (status=? AND tool=? AND principal=? AND created<?)',
  ],
])('%s is found without reading the others, and comes in its order', async (_, filter, index) => {
  const storage = await openStorage('sqlite::memory:');
  try {
    const plan = await planOf(storage, filter);
    expect(plan).toContain(`USING INDEX ${index}`);
    expect(plan).not.toContain('TEMP B-TREE');
  } finally {
    await storage.close();
  }
});
