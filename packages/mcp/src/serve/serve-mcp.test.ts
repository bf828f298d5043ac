import { afterEach, describe, expect, test } from 'vitest';
import { REVISIONS, type Served, serveFixture } from '../../test-support/serve-fixture.ts';

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  test('lists what it may use, with hints from the profiles', async () => {
    served = await serveFixture();
    const client = await served.connect('alice', revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['add', 'whoami', 'fail']);
    expect(tools[0]).toMatchObject({
      name: 'add',
      title: 'Addition',
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'], additionalProperties: false },
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { title: 'Addition', readOnlyHint: true, openWorldHint: false },
    });
  });

  test('gets the result of a call as content and as a structure', async () => {
    served = await serveFixture();
    const client = await served.connect('alice', revision);
    const result = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"sum":5}' }],
      structuredContent: { sum: 5 },
    });
    expect(result.isError ?? false).toBe(false);
  });
});
