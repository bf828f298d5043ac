import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { type Caller, gateOf, REVISIONS, serveFixture } from '../../test-support/serve-fixture.ts';
import type { ServeExtension } from './serve-extension.ts';

const notes: ServeExtension<Caller> = {
  capabilities: { resources: {} },
  register: ({ handle }, { principal, context }) => {
    handle('resources/list', () => ({
      resources: [{ uri: `note://${principal}`, name: context.admin ? 'all notes' : 'notes' }],
    }));
    handle('resources/read', ({ params }) => {
      if (params.uri === 'note://broken') throw new Error('connect ECONNREFUSED db.internal:5432');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such note.');
    });
  },
};

test.each(REVISIONS)(
  'a client of %s gets what is served beside the tools, as the one that it is',
  async (revision) => {
    const errors: unknown[] = [];
    const served = await serveFixture(gateOf(), {
      extensions: [notes],
      onError: (error) => errors.push(error),
    });
    const [alice, admin] = [await served.connect('alice', revision), await served.connect('admin', revision)];
    expect((await alice.listResources()).resources).toMatchObject([{ uri: 'note://alice', name: 'notes' }]);
    expect((await admin.listResources()).resources).toMatchObject([
      { uri: 'note://admin', name: 'all notes' },
    ]);
    expect((await alice.listTools()).tools).toHaveLength(3);
    await expect(alice.readResource({ uri: 'note://none' })).rejects.toThrow(/No such note\.$/);
    await expect(alice.readResource({ uri: 'note://broken' })).rejects.toThrow(/Internal error$/);
    expect(errors).toMatchObject([{ message: 'connect ECONNREFUSED db.internal:5432' }]);
  },
);

test.each(['tools/call', 'tools/list', 'initialize', 'server/discover', 'ping'] as const)(
  'an extension cannot answer %s',
  async (method) => {
    const errors: unknown[] = [];
    const greedy: ServeExtension<Caller> = {
      capabilities: {},
      register: ({ handle }) => handle(method, () => ({}) as never),
    };
    const served = await serveFixture(gateOf(), {
      extensions: [greedy],
      onError: (error) => errors.push(error),
    });
    await expect(served.connect('alice', '2025-11-25')).rejects.toThrow();
    expect(errors).toContainEqual(expect.objectContaining({ code: 'mcp/serve-options-invalid' }));
  },
);
