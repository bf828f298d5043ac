import { describe, expect, test } from 'vitest';
import { callerOf, mountScript } from '../../test-support/mount-fixture.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import type { McpMount } from './mount-mcp.ts';

const namesOf = ({ tools }: McpMount): readonly string[] =>
  tools.map(({ contract }) => contract.definition.name);

describe('A tool that asks for headers that are none', () => {
  const inputSchema = {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'My Region' } },
  };
  const tools = [plainTool('bad', { inputSchema }), plainTool('good')];

  test('is left out where parameters travel in headers, and it is said why', async () => {
    const { mount } = await mountScript({ tools, modern: true });
    expect(namesOf(mount)).toEqual(['good']);
    expect(mount.report.tools).toContainEqual(
      expect.objectContaining({
        kind: 'disabled',
        tool: 'bad',
        pointer: '/inputSchema/properties/region/x-mcp-header',
      }),
    );
  });

  test('is a tool like any in a revision that has no such headers', async () => {
    const { mount } = await mountScript({ tools });
    expect(namesOf(mount)).toEqual(['bad', 'good']);
  });

  test('cannot be called any more when its server begins to speak the newer revision', async () => {
    const { mount, server } = await mountScript({ tools });
    const call = await callerOf(mount);
    server.script.modern = true;
    server.die();
    expect([(await call('bad')).reason, (await call('good')).reason]).toEqual(['tool_rejected', 'completed']);
    expect(server.of('tools/call').map(({ params }) => params?.['name'])).toEqual(['good']);
    expect(namesOf(mount)).toEqual(['good']);
  });
});
