import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGate, type Gate, type Outcome } from '@toolgate/core';
import { EMPTY_LOCK, mountMcp, readLock } from '@toolgate/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountConfig } from './config.example.ts';
import { openNotes } from './mount.example.ts';
import { acceptTools } from './review.example.ts';
import { serveAdd } from './serve.example.ts';

const SERVER = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgate-'));
  writeFileSync(join(folder, 'launch.md'), 'The launch is on Wednesday.');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function call(gate: Gate, name: string, args: object): Promise<Outcome> {
  const session = await gate.open({ context: {} });
  try {
    return await session.execute({ id: 'call-1', name, arguments: JSON.stringify(args) });
  } finally {
    await session.close();
  }
}

describe('a mounted server', () => {
  test('offers nothing before a review, and then what was accepted', async () => {
    const before = await openNotes(process.execPath, [SERVER, folder], EMPTY_LOCK);
    const { drift } = before.notes.report;
    await before.notes.close();
    expect(before.notes.tools).toEqual([]);
    if (drift === undefined) expect.unreachable('a mount with a lock has a report');
    const lock = readLock(acceptTools(EMPTY_LOCK, drift, ['read_text_file', 'write_file']));

    const { notes, gate } = await openNotes(process.execPath, [SERVER, folder], lock);
    try {
      expect(gate.tools).toHaveLength(2);
      const read = await call(gate, 'read_text_file', { path: join(folder, 'launch.md') });
      expect(read.kind === 'completed' && read.output.text()).toContain('Wednesday');
      const write = await call(gate, 'write_file', { path: join(folder, 'x'), content: 'y' });
      expect(write.reason).toBe('approval_declined');
    } finally {
      await notes.close();
    }
  }, 60_000);

  test('may come from the configuration of an editor', async () => {
    const text = `{ "mcpServers": { "my notes": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(SERVER)}, "\${workspaceFolder}"] } } }`;
    const [mount] = await mountConfig(text, folder, EMPTY_LOCK);
    expect(mount?.report.tools.map(({ kind }) => kind)).toContain('quarantined');
    await mount?.close();
  }, 60_000);
});

test('a served tool is called by who knows the token, and by nobody else', async () => {
  const service = serveAdd('a-token-of-the-test');
  try {
    const { url } = await service.listen();
    const mount = await mountMcp({
      name: 'sums',
      transport: { kind: 'http', url, headers: { Authorization: 'Bearer a-token-of-the-test' } },
      lock: 'off',
    });
    const outcome = await call(createGate({ tools: mount.tools }), 'add', { a: 2, b: 3 });
    expect(outcome.kind === 'completed' && outcome.output.text()).toBe('5');
    await mount.close();
    await expect(mountMcp({ name: 'sums', transport: { kind: 'http', url }, lock: 'off' })).rejects.toThrow(
      expect.objectContaining({ code: 'mcp/unauthorized' }),
    );
  } finally {
    await service.close();
  }
});
