import { expect, onTestFinished, test } from 'vitest';
import { callerOf, rejection, textOf } from '../../test-support/mount-fixture.ts';
import { plainTool, type Script, ScriptedServer } from '../../test-support/scripted-server.ts';
import type { MountConfig } from './mount-config.ts';
import { mountServers } from './mount-servers.ts';

const says = (text: string, ...tools: readonly string[]): Script => ({
  tools: tools.map((name) => plainTool(name)),
  call: () => ({ content: [{ type: 'text', text }] }),
});
const config = (name: string, script: Script, more: Partial<MountConfig> = {}): MountConfig => ({
  name,
  lock: 'off',
  transport: new ScriptedServer(script).transport,
  ...more,
});

async function mounted(...configs: readonly MountConfig[]) {
  const mounts = await mountServers(configs);
  onTestFinished(() => mounts.close());
  return mounts;
}

test('equal names of two servers are told apart and routed right', async () => {
  const mounts = await mounted(
    config('fs', says('from fs', 'search')),
    config('github', says('from github', 'search')),
  );
  const call = await callerOf(mounts);
  expect(textOf(await call('fs__search'))).toBe('from fs');
  expect(textOf(await call('github__search'))).toBe('from github');
  expect(mounts.lookAlikes).toMatchObject([
    { kind: 'same', first: { server: 'fs' }, second: { server: 'github' } },
  ]);
});

test('one server needs no prefix, and gets one where it is asked for', async () => {
  const names = async (more: Partial<MountConfig>) =>
    (await mounted(config('fs', says('', 'search'), more))).tools.map(
      ({ contract }) => contract.definition.name,
    );
  expect(await names({})).toEqual(['search']);
  expect(await names({ prefix: true })).toEqual(['fs__search']);
});

test('two servers with tools that would have one name are refused, and both are named', async () => {
  const error = await rejection(mountServers([config('a', says('', 'b__c')), config('a__b', says('', 'c'))]));
  expect(error).toMatchObject({
    code: 'mcp/name-collision',
    message: expect.stringMatching(/"b__c" of a and "c" of a__b/),
  });
});

test('two servers with one name are refused', async () => {
  const error = await rejection(mountServers([config('a', says('')), config('a', says(''))]));
  expect(error).toMatchObject({ code: 'mcp/options-invalid' });
});

test('a server with a list that is none costs the others nothing', async () => {
  const mounts = await mounted(
    config('bad', { page: () => ({ tools: [], nextCursor: 'x' }) }),
    config('good', says('ok', 'go')),
  );
  expect(mounts.failed).toMatchObject([{ name: 'bad', error: { code: 'mcp/list-invalid' } }]);
  expect(textOf(await (await callerOf(mounts))('good__go'))).toBe('ok');
});

test('an approval is bound to one server: the digests of equal tools of two servers differ', async () => {
  const mounts = await mounted(config('a', says('', 'read_file')), config('b', says('', 'read_file')));
  const digests = mounts.tools.map(({ contract }) => contract.digest);
  expect(new Set(digests).size).toBe(2);
});

test('whoever mounts is asked about every call of every tool, and a no keeps it from the server', async () => {
  const server = new ScriptedServer(says('done', 'read', 'drop'));
  const asked: string[] = [];
  const mounts = await mounted({
    name: 'fs',
    lock: 'off',
    transport: server.transport,
    authorize: ({ definition }) => {
      asked.push(definition.name);
      return definition.name !== 'drop';
    },
  });
  const call = await callerOf(mounts);
  expect(textOf(await call('read'))).toBe('done');
  expect((await call('drop')).reason).toBe('not_authorized');
  expect(asked).toEqual(['read', 'drop']);
  expect(server.of('tools/call')).toHaveLength(1);
});
