import { describe, expect, test } from 'vitest';
import { lockOf } from '../../test-support/lock-of.ts';
import { callerOf, mountScript, rejection, textOf } from '../../test-support/mount-fixture.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import type { MountEvent } from './mount-event.ts';

const page = { type: 'object', properties: { page: { type: 'integer' } } };

describe('arguments that the schema of a server does not name', () => {
  test('are sent where nobody closes it, and the report and an event say so without their names', async () => {
    const events: MountEvent[] = [];
    const { mount, server } = await mountScript(
      { tools: [plainTool('list', { inputSchema: page }), plainTool('empty')] },
      { observe: (event) => events.push(event) },
    );
    expect(mount.report.tools).toMatchObject([{ open: true }, { open: true }]);
    const call = await callerOf(mount);
    expect((await call('list', { page: 1 })).kind).toBe('completed');
    expect(events.map(({ kind }) => kind)).toEqual(['generation']);
    expect((await call('list', { page: 1, pagez: 2 })).kind).toBe('completed');
    expect((await call('empty', { constructor: 1, pagez: 2 })).kind).toBe('completed');
    expect(events.slice(1)).toEqual([
      { kind: 'arguments-unnamed', server: 'server', tool: 'list', count: 1 },
      { kind: 'arguments-unnamed', server: 'server', tool: 'empty', count: 2 },
    ]);
    expect(server.of('tools/call')).toHaveLength(3);
  });

  test('are refused where a rule closes the schema, and the model is shown the closed one', async () => {
    const tools = [plainTool('list', { inputSchema: page }), plainTool('empty'), plainTool('other')];
    const rules = [
      { tool: 'list', unknownMembers: 'refuse' },
      { tool: 'empty', unknownMembers: 'refuse' },
    ] as const;
    const lock = { mode: 'require', file: lockOf({ server: tools }) } as const;
    const { mount, server } = await mountScript({ tools }, { rules, lock });
    expect(
      mount.tools.map(({ contract }) => contract.definition.inputSchema['additionalProperties']),
    ).toEqual([false, false, undefined]);
    expect(mount.report.tools.map((tool) => Object.hasOwn(tool, 'open'))).toEqual([false, false, true]);
    const call = await callerOf(mount);
    const outcome = await call('empty', { pagez: 1 });
    expect([outcome.reason, textOf(outcome)]).toEqual([
      'arguments_rejected',
      expect.stringContaining('pagez'),
    ]);
    expect((await call('list', { page: 1, pagez: 1 })).kind).toBe('invalid');
    expect((await call('list', { page: 1 })).kind).toBe('completed');
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('are taken without a word where the schema says that it takes them', async () => {
    const events: MountEvent[] = [];
    const inputSchema = { ...page, additionalProperties: true };
    const { mount } = await mountScript(
      { tools: [plainTool('list', { inputSchema })] },
      { observe: (event) => events.push(event), rules: [{ tool: '*', unknownMembers: 'refuse' }] },
    );
    expect((await (await callerOf(mount))('list', { pagez: 1 })).kind).toBe('completed');
    expect(events.map(({ kind }) => kind)).toEqual(['generation']);
  });

  test('with a rule that is neither is misuse', async () => {
    const rules = [{ tool: '*', unknownMembers: 'no' as 'allow' }];
    expect(await rejection(mountScript({}, { rules }))).toMatchObject({
      code: 'mcp/options-invalid',
      pointer: '/rules/0/unknownMembers',
    });
  });
});
