import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockOf } from '../../test-support/lock-of.ts';
import { callerOf, mountFixture, textOf } from '../../test-support/mount-fixture.ts';
import { registryServer } from '../../test-support/processes.ts';
import { EMPTY_LOCK } from '../lock/lock-file.ts';
import type { McpMount } from './mount-mcp.ts';

const offered = (mount: McpMount): readonly string[] =>
  mount.report.tools.flatMap((tool) => (tool.kind === 'offered' ? [tool.name] : []));

function sandbox(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('server-filesystem', () => {
  test('lists, reads and writes in its folder, and its refusals are failures with their text', async () => {
    const folder = sandbox();
    writeFileSync(join(folder, 'note.txt'), 'hello');
    const mount = await mountFixture({
      transport: registryServer('filesystem', folder),
      rules: [
        { tool: 'read_*', class: 'read' },
        { tool: '*_file', class: 'write' },
      ],
    });
    expect(mount.report.tools.every(({ kind }) => kind === 'offered')).toBe(true);
    expect(mount.report.tools.flatMap(({ findings }) => findings)).toEqual([]);
    const call = await callerOf(mount);
    const read = await call('read_text_file', { path: join(folder, 'note.txt') });
    expect([read.kind, textOf(read)]).toEqual(['completed', 'hello']);
    expect(read.kind === 'completed' && read.output.structured).toEqual({ content: 'hello' });
    expect((await call('write_file', { path: join(folder, 'new.txt'), content: 'new' })).kind).toBe(
      'completed',
    );
    const list = await call('list_directory', { path: folder });
    expect(textOf(list)).toMatch(/new\.txt[\s\S]*note\.txt/);
    const refused = await call('read_text_file', { path: '/etc/hostname' });
    expect([refused.kind, refused.reason]).toEqual(['failed', 'tool_failure']);
    expect(textOf(refused)).toMatch(/[Aa]ccess denied/);
    expect((await call('read_text_file', {})).reason).toBe('arguments_rejected');
  });
});

describe('server-memory', () => {
  test('keeps what it is told, with structured results', async () => {
    const file = join(sandbox(), 'memory.jsonl');
    const transport = { ...registryServer('memory'), env: { MEMORY_FILE_PATH: file } };
    const mount = await mountFixture({ transport, name: 'memory', prefix: true });
    const call = await callerOf(mount);
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }];
    const created = await call('memory__create_entities', { entities });
    expect(created.kind === 'completed' && created.output.structured).toEqual({ entities });
    const found = await call('memory__search_nodes', { query: 'program' });
    expect(found.kind === 'completed' && found.output.structured).toMatchObject({ entities });
  });
});

describe('server-sequential-thinking', () => {
  test('thinks, and nothing of its definition hides', async () => {
    const mount = await mountFixture({ transport: registryServer('sequential-thinking') });
    expect(mount.report.tools).toMatchObject([{ kind: 'offered', tool: 'sequentialthinking' }]);
    const call = await callerOf(mount);
    const thought = { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(textOf(await call('sequentialthinking', thought))).toMatch(/"thoughtNumber": ?1/);
  });
});

describe('server-everything', () => {
  test('answers with text, images, resources, structure and progress, and is locked by what it lists', async () => {
    const transport = registryServer('everything');
    const mount = await mountFixture({ transport, name: 'everything' });
    const call = await callerOf(mount);
    expect(textOf(await call('echo', { message: 'hi' }))).toBe('Echo: hi');
    expect(textOf(await call('get-sum', { a: 2, b: 3 }))).toMatch(/5/);
    const image = await call('get-tiny-image');
    expect(image.kind === 'completed' && image.output.parts.map(({ kind }) => kind)).toContain('image');
    const links = await call('get-resource-links', { count: 3 });
    expect(
      links.kind === 'completed' && links.output.parts.filter(({ kind }) => kind === 'resource-link'),
    ).toHaveLength(3);
    const resource = await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(resource.kind === 'completed' && resource.output.parts.map(({ kind }) => kind)).toContain('file');
    const weather = await call('get-structured-content', { location: 'Chicago' });
    expect(weather.kind === 'completed' && weather.output.structured).toMatchObject({
      temperature: expect.any(Number),
    });
    expect((await call('get-structured-content', { location: 'Paris' })).reason).toBe('arguments_rejected');
    // Not offered to a client that nobody can be asked through.
    expect(offered(mount)).not.toContain('trigger-elicitation-request');
    expect(mount.report).toMatchObject({ serverInfo: { name: 'mcp-servers/everything' } });
  });

  test('reports progress, and stops at a cancellation, which is unknown', async () => {
    const mount = await mountFixture({ transport: registryServer('everything') });
    const updates: unknown[] = [];
    const call = await callerOf(mount, {
      observe: (event) => {
        if (event.kind === 'call-progress') updates.push(event);
      },
    });
    const long = await call('trigger-long-running-operation', { duration: 0.4, steps: 4 });
    expect(long.kind).toBe('completed');
    // The last one comes with the result, and counts only when it is handled first.
    expect([3, 4]).toContain(updates.length);
    const stop = new AbortController();
    const cancelling = await callerOf(
      mount,
      {
        observe: (event) => {
          if (event.kind === 'call-progress') stop.abort();
        },
      },
      stop.signal,
    );
    const cancelled = await cancelling('trigger-long-running-operation', { duration: 60, steps: 600 });
    expect([cancelled.kind, cancelled.reason]).toEqual(['unknown', 'cancelled_after_dispatch']);
    expect(textOf(await call('echo', { message: 'still here' }))).toBe('Echo: still here');
  });

  test('lists the same definitions each time it is started, so that a lock of them holds', async () => {
    const transport = registryServer('everything');
    const first = await mountFixture({
      transport,
      name: 'every',
      lock: { mode: 'require', file: EMPTY_LOCK },
    });
    expect(first.tools).toEqual([]);
    const added =
      first.report.drift?.drift.flatMap((each) => (each.kind === 'added' ? [each.definition] : [])) ?? [];
    expect(added.length).toBeGreaterThan(5);
    const lock = { mode: 'require', file: lockOf({ every: added }) } as const;
    const second = await mountFixture({ transport, name: 'every', lock });
    // One of them is called as a task alone.
    const disabled = second.report.tools.filter(({ kind }) => kind === 'disabled');
    expect(disabled.map(({ tool }) => tool)).toEqual(['simulate-research-query']);
    expect(second.tools).toHaveLength(added.length - 1);
    expect(second.report.drift?.drift).toEqual([]);
  });
});
