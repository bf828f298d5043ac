import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createProviderServer } from '@toolgate/testing/node';
import { afterEach, describe, expect, test } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { askChat, endAll, startUp } from '../../test-support/up-process.ts';

const folders: { remove(): void }[] = [];
const temporary = () => {
  const folder = createTemporaryFolder();
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  await endAll();
  for (const folder of folders.splice(0)) folder.remove();
}, 60_000);

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('toolgate up without a configuration', () => {
  test('shows its keys at the first start only, keeps what it has to itself, and the keys outlive it', async () => {
    const { path } = temporary();
    const first = await startUp(path);
    const key = String(first.listening['clientKey']);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
    expect(first.listening).toMatchObject({ builtin: true, adminKey: expect.stringMatching(/^tg_admin_/u) });
    const home = join(path, '.toolgate');
    expect(modeOf(home)).toBe(0o700);
    for (const name of readdirSync(home)) expect([name, modeOf(join(home, name))]).toEqual([name, 0o600]);

    const { body, status } = await askChat(first.url, key, 'call add {"to":"x"}', 'add');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"arguments":"{\\"to\\":\\"x\\"}"');
    expect((await first.next('request'))['status']).toBe(200);
    expect(await first.end('SIGTERM')).toBe(143);
    expect(first.lines.at(-1)).toMatchObject({ event: 'closed' });
    expect(JSON.stringify(first.lines.filter((line) => line !== first.listening))).not.toContain('tg_');
    expect(first.errors()).toBe('');

    const second = await startUp(path);
    expect(second.listening).not.toHaveProperty('clientKey');
    expect(second.listening).not.toHaveProperty('adminKey');
    expect((await askChat(second.url, key, 'Hello')).status).toBe(200);
    expect((await askChat(second.url, `${key}x`, 'Hello')).status).toBe(401);
    expect(await second.end('SIGINT')).toBe(130);
    // Nothing leads to the gateway that has ended; what listens at the default address instead knows no such key.
    const list = await runMain(['calls', 'list'], { cwd: path });
    expect(list.stderr).toMatch(/\(cli\/gateway-(?:unreachable|refused|invalid)\)/u);
    expect(list.stderr).not.toContain(second.url);
  }, 120_000);

  test('puts the provider of the environment behind it, whose key the client never needs', async () => {
    const { path } = temporary();
    const provider = await createProviderServer({
      protocol: 'openai-chat',
      script: { turns: [{ text: 'from afar' }] },
      apiKey: 'planted-key',
    });
    try {
      const up = await startUp(path, [], {
        OPENAI_API_KEY: 'planted-key',
        OPENAI_BASE_URL: provider.baseUrl,
      });
      const { body } = await askChat(up.url, String(up.listening['clientKey']), 'Hello');
      expect(JSON.stringify(body)).toContain('from afar');
      expect(JSON.stringify(up.lines)).not.toContain('planted-key');
    } finally {
      await provider.close();
    }
  }, 60_000);

  test('prints a command that works as it is, and nothing that moves a cursor', async () => {
    const { path } = temporary();
    const controller = new AbortController();
    const answers: Promise<Response>[] = [];
    const run = await runMain(['up', '--port', '0'], {
      cwd: path,
      signal: controller.signal,
      onWrite: (text) => {
        const [, address = ''] = /^curl (\S+)/mu.exec(text) ?? [];
        if (address === '') return;
        const [, key] = /^export TOOLGATE_KEY=(\S+)$/mu.exec(text) ?? [];
        const [, body] = / -d '(.*)'$/mu.exec(text) ?? [];
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const asked = fetch(address, { method: 'POST', headers, body: body ?? '' });
        answers.push(asked);
        void asked.finally(() => controller.abort(new Error('enough'))).catch(() => undefined);
      },
    });
    const [answer] = await Promise.all(answers);
    expect(answer?.status).toBe(200);
    expect(JSON.stringify(await answer?.json())).toContain('"arguments":"{\\"a\\":2,\\"b\\":3}"');
    expect(run.stdout).toContain('shown this once');
    expect(run.stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  }, 60_000);

  test('says so when another program has the port', async () => {
    const { path } = temporary();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      const run = await runMain(['up', '--port', String(port)], { cwd: path });
      expect(run.code).toBe(1);
      expect(run.stderr).toContain(`cannot listen on 127.0.0.1:${port}: another program listens there`);
      expect(run.stderr).toContain('(cli/server-failed)');
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  }, 60_000);

  test('does not use a folder that somebody else has filled', async () => {
    const { path } = temporary();
    const folder = temporary();
    symlinkSync(folder.path, join(path, '.toolgate'));
    const run = await runMain(['up', '--port', '0'], { cwd: path });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/home-unusable)')]);
  });

  test.each(['gateway.db', 'gateway.db-wal'])(
    'does not use a %s that came with a clone, or a link',
    async (name) => {
      for (const plant of [
        (file: string) => writeFileSync(file, '', { mode: 0o644 }),
        (file: string) => symlinkSync('/dev/null', file),
      ]) {
        const { path } = temporary();
        mkdirSync(join(path, '.toolgate'));
        plant(join(path, '.toolgate', name));
        const run = await runMain(['up', '--port', '0'], { cwd: path });
        expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/home-unusable)')]);
      }
    },
  );
});

describe('toolgate up with a configuration', () => {
  const text = (model: string): string =>
    `listen: { port: 0 }
keys: [{ id: team, key: client-key-0123456789, tools: { default: allow } }]
providers: { main: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9/v1" } }
routes: [{ model: ${model}, candidates: [{ provider: main }] }]
storage: { url: "sqlite:gateway.db" }
`;
  const modelsOf = async (url: string): Promise<string> => {
    const response = await fetch(`${url}/v1/models`, {
      headers: { authorization: 'Bearer client-key-0123456789' },
    });
    return response.text();
  };

  test('tells what it is for, and where the other commands get their key', async () => {
    const folder = temporary();
    folder.write('models.yaml', text('one'));
    folder.write(
      'mcp.yaml',
      'listen: { port: 0 }\nkeys: []\nmcp: { servers: { notes: { url: "http://127.0.0.1:9/mcp" } } }\n',
    );
    const greet = async (file: string): Promise<string> => {
      const controller = new AbortController();
      const { stdout } = await runMain(['up', file, '--port', '0'], {
        cwd: folder.path,
        signal: controller.signal,
        onWrite: (written) => {
          if (written.includes('Ctrl-C')) controller.abort(new Error('enough'));
        },
      });
      return stdout;
    };
    const models = await greet('models.yaml');
    expect(models).toMatch(/^# export TOOLGATE_URL=http:\S+ TOOLGATE_ADMIN_KEY=…$/mu);
    expect(models).toContain('new OpenAI(');
    expect(models).not.toContain('MCP over HTTP');
    const mcp = await greet('mcp.yaml');
    expect(mcp).toMatch(/^MCP over HTTP: http:\S+\/mcp with the header/mu);
    expect(mcp).not.toContain('new OpenAI(');
  }, 60_000);

  test('reads it again on SIGHUP, and a bad one leaves the last good one', async () => {
    const folder = temporary();
    folder.write('gateway.yaml', text('one'));
    const up = await startUp(folder.path, ['gateway.yaml']);
    expect(await modelsOf(up.url)).toContain('"one"');
    folder.write('gateway.yaml', text('two'));
    up.signal('SIGHUP');
    expect(await up.next('reloaded')).toMatchObject({ generation: 2 });
    expect(await modelsOf(up.url)).toContain('"two"');
    folder.write('gateway.yaml', `${text('three')}nonsense: 1\n`);
    up.signal('SIGHUP');
    expect(await up.next('reload-refused')).toMatchObject({ pointer: '/nonsense', line: 6, column: 1 });
    expect(await modelsOf(up.url)).toContain('"two"');
    expect(await up.end('SIGTERM')).toBe(143);
  }, 60_000);

  test('says of a module that cannot be loaded what says why, and nothing of what it said itself', async () => {
    const folder = temporary();
    const keys = "keys: [{ id: 'boss', key: 'admin-key-0123456789', admin: true }]";
    const config = `export default { listen: { port: 0 }, ${keys}, storage: { url: 'sqlite:gateway.db' } };\n`;
    folder.write('gateway.mjs', config);
    const up = await startUp(folder.path, ['gateway.mjs']);
    folder.write('gateway.mjs', `throw new Error('not today');\n${config}`);
    const env = { TOOLGATE_URL: up.url, TOOLGATE_ADMIN_KEY: 'admin-key-0123456789' };
    const { code, stdout } = await runMain(['reload'], { env });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^refused .*"toolgate check" says why\. \(gateway\/config-unreadable\)$/mu),
    ]);
    expect(stdout + JSON.stringify(up.lines)).not.toContain('not today');
    expect(await up.end('SIGTERM')).toBe(143);
  }, 60_000);

  test('says so when nobody is served by it', async () => {
    const folder = temporary();
    folder.write('empty.yaml', '');
    const message = 'it has no key, no route and no MCP server, so that no client is served';
    const up = await startUp(folder.path, ['empty.yaml']);
    expect(await up.next('config-idle')).toMatchObject({ message });
    expect(await up.end('SIGTERM')).toBe(143);
    const controller = new AbortController();
    const { stdout } = await runMain(['up', 'empty.yaml', '--port', '0'], {
      cwd: folder.path,
      signal: controller.signal,
      onWrite: (written) => {
        if (written.includes(message)) controller.abort(new Error('enough'));
      },
    });
    expect(stdout).toContain(`empty.yaml: ${message}`);
    folder.write('gateway.yaml', text('one'));
    const other = await startUp(folder.path, ['gateway.yaml']);
    expect(await other.end('SIGTERM')).toBe(143);
    expect(other.lines.map(({ event }) => event)).not.toContain('config-idle');
  }, 60_000);

  test('does not start with a bad one, and leaves nothing behind', async () => {
    const folder = temporary();
    folder.write('gateway.yaml', 'storage: { url: "sqlite:gateway.db" }\nnonsense: 1\n');
    const run = await runMain(['up', 'gateway.yaml'], { cwd: folder.path });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(gateway/config-invalid)')]);
    expect(readdirSync(folder.path)).toEqual(['gateway.yaml']);
  });
});
