import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { digest } from '@toolgate/core';
import { createProviderServer, type ProviderServer } from '@toolgate/testing/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../test-support/temporary-folder.ts';
import { askChat, endAll, startUp, type UpProcess } from '../../test-support/up-process.ts';
import { answerOf } from './builtin-model.ts';

const CLIENT = 'client-key-0123456789';
const ADMIN = 'admin-key-0123456789';
const CONFIG = `listen: { port: 0 }
keys:
  - { id: team, principal: ana, key: ${CLIENT}, tools: { default: allow } }
  - { id: boss, principal: bob, key: ${ADMIN}, admin: true }
providers: { main: { protocol: openai-chat, baseUrl: "\${env:PROVIDER}" } }
routes:
  - model: demo
    candidates: [{ provider: main }]
    firewall:
      scope: { deny: [delete_all] }
      classes: [{ tool: send_mail, class: external }, { tool: "*", class: read }]
      approve: { threshold: write }
storage: { url: "sqlite:gateway.db" }
`;

let folder: TemporaryFolder;
let provider: ProviderServer;
let up: UpProcess;
const start = (...args: readonly string[]): Promise<UpProcess> =>
  startUp(folder.path, ['gateway.yaml', ...args], { PROVIDER: provider.baseUrl });
beforeAll(async () => {
  folder = createTemporaryFolder();
  folder.write('gateway.yaml', CONFIG);
  let calls = 0;
  provider = await createProviderServer({
    protocol: 'openai-chat',
    script: (call) =>
      answerOf(call, () => {
        calls += 1;
        return `call_${calls}`;
      }),
  });
  // Little, so that the stop at the end need not be waited for.
  up = await start('--grace', '100');
}, 120_000);
afterAll(async () => {
  await endAll();
  await provider.close();
  folder.remove();
}, 60_000);

const run = (...argv: readonly string[]) =>
  runMain(argv, { cwd: folder.path, env: { TOOLGATE_URL: up.url, TOOLGATE_ADMIN_KEY: ADMIN } });
const json = async (...argv: readonly string[]): Promise<unknown> => {
  const { code, stderr, stdout } = await run(...argv, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const mail = (to: string) => askChat(up.url, CLIENT, `call send_mail {"to":"${to}"}`, 'send_mail');
/** The id of the approval that the gateway tells of next. */
const waiting = async (): Promise<string> => {
  for (;;) {
    const line = await up.next('approval');
    if (line['status'] === 'pending') return String(line['id']);
  }
};

describe('approvals', () => {
  test('a call waits until somebody says yes, who sees exactly what is asked for', async () => {
    const asked = mail('ana');
    const id = await waiting();
    expect((await run('approvals', 'list')).stdout).toMatch(
      new RegExp(`^send_mail +pending .* ${id}$`, 'mu'),
    );
    const { stdout } = await run('approvals', 'show', id);
    expect(stdout).toContain('{ "to": "ana" }');
    expect(stdout).toContain('ana with key team');
    expect((await run('approvals', 'approve', id)).stdout).toMatch(/^approved +send_mail/u);
    expect(JSON.stringify((await asked).body)).toContain('"{\\"to\\":\\"ana\\"}"');
    const late = await run('approvals', 'decline', id);
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringContaining('[approval_settled] (cli/gateway-refused)'),
    ]);
  }, 60_000);

  test('calls that are alike are told apart by who asked, how long ago, and with what', async () => {
    const asked = [mail('tom'), mail('tim')];
    const ids = [await waiting(), await waiting()];
    const now = Date.now();
    const env = { TOOLGATE_URL: up.url, TOOLGATE_ADMIN_KEY: ADMIN };
    const list = async (...more: readonly string[]) =>
      (await runMain(['approvals', 'list', ...more], { env, now: () => now + 65_000 })).stdout;
    const short = await list();
    const whole = await list('--arguments');
    for (const to of ['tom', 'tim']) {
      const digits = digest({ to }).slice(7, 19);
      expect(short).toMatch(new RegExp(`^send_mail .* ana +team +1m +\\d+m +${digits} +\\S+$`, 'mu'));
      expect(whole).toMatch(
        new RegExp(`^send_mail .* ana +team +1m +\\d+m +\\{"to":"${to}"\\} +\\S+$`, 'mu'),
      );
    }
    for (const id of ids) await run('approvals', 'decline', id);
    await Promise.all(asked);
  }, 60_000);

  test('a no reaches the client as text and never as a call', async () => {
    const asked = mail('bob');
    const id = await waiting();
    expect(await json('approvals', 'decline', id, '--reason', 'Not today.')).toMatchObject({
      status: 'declined',
    });
    expect(JSON.stringify((await asked).body)).not.toContain('tool_calls":[');
  }, 60_000);

  test('other arguments run instead, if the contract admits them', async () => {
    const asked = mail('carl');
    const id = await waiting();
    const wrong = await run('approvals', 'edit', id, '--args', '{"to":7}');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('[arguments_invalid]')]);
    for (const text of ['[1]', '{"to":"a","to":"b"}', 'x'])
      expect((await run('approvals', 'edit', id, '--args', text)).code).toBe(2);
    folder.write('arguments.json', { to: 'dora' });
    expect((await run('approvals', 'edit', id, '--args', '@arguments.json')).code).toBe(0);
    expect(JSON.stringify((await asked).body)).toContain('dora');
    const from = digest({ to: 'carl' });
    const to = digest({ to: 'dora' });
    expect((await run('approvals', 'show', id)).stdout).toMatch(new RegExp(`^edited to +${to}$`, 'mu'));
    const { requestId } = (await json('approvals', 'show', id)) as { readonly requestId: string };
    const [call] = await logged('--request', requestId);
    const { stdout } = await run('calls', 'show', call?.id ?? '');
    expect(stdout).toMatch(
      new RegExp(`^decision +approved {2}\\d{4}-\\S+Z by bob\nedited from +${from}\nedited to +${to}$`, 'mu'),
    );
  }, 60_000);

  test('a watch shows what waits, and each change, until it is told to end', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const until = (text: string): Promise<void> =>
      vi.waitFor(() => expect(seen.join('')).toContain(text), { timeout: 20_000, interval: 5 });
    const asked = mail('eva');
    const id = await waiting();
    const watching = runMain(['approvals', 'watch'], {
      env: { TOOLGATE_URL: up.url, TOOLGATE_ADMIN_KEY: ADMIN },
      signal: controller.signal,
      onWrite: (text) => seen.push(text),
    });
    await until(`pending    send_mail`);
    expect(await run('approvals', 'approve', id)).toMatchObject({ code: 0, stderr: '' });
    await until('approved');
    await until('used       send_mail');
    controller.abort(new Error('enough'));
    expect((await watching).code).toBe(1);
    expect((await asked).status).toBe(200);
  }, 60_000);

  test.each(['nobody', '..', 'a/b', ''])('there is none called %j', async (id) => {
    const { code, stderr } = await run('approvals', 'show', id);
    expect([code, stderr]).toEqual([
      id === 'nobody' ? 1 : 2,
      expect.stringMatching(/No approval has this id\.|no id/u),
    ]);
  });
});

describe('keys', () => {
  test('one that is made works until it is revoked, and stands alone in the output', async () => {
    const made = await run('keys', 'create', 'carl', '--tools', 'allow', '--per-minute', '50');
    const key = made.stdout.trim();
    expect(key).toMatch(/^tg_[0-9a-f]{16}_[\w-]{43}$/u);
    const id = key.split('_')[1] ?? '';
    expect(made.stderr).toContain(`Key ${id} for carl.`);
    expect((await askChat(up.url, key, 'Hello')).status).toBe(200);
    const list = await run('keys', 'list');
    expect(list.stdout).toMatch(new RegExp(`^carl +all +all +none .* valid +${id}$`, 'mu'));
    expect(list.stdout).not.toContain(key);
    expect((await run('keys', 'revoke', id)).code).toBe(0);
    for (const name of [id, 'carl']) {
      const { stdout } = await run('keys', 'show', name);
      expect(stdout).toMatch(/^state +revoked$/mu);
      expect(stdout).toMatch(/^requests per minute +50$/mu);
      expect(stdout).toMatch(/^created +\d{4}-\S+Z by bob$/mu);
      expect(stdout).toMatch(/^revoked +\d{4}-\S+Z by bob$/mu);
      expect(stdout).not.toContain(key);
    }
    expect((await askChat(up.url, key, 'Hello')).status).toBe(401);
    expect((await run('keys', 'revoke', id)).stderr).toContain('No key with this id');
  }, 60_000);

  test('one that names what is not configured is made, and that is told beside it', async () => {
    const made = await run(
      'keys',
      'create',
      'carl',
      '--route',
      'demo',
      '--route',
      'dmeo',
      '--server',
      'files',
    );
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^tg_\S+\n$/u);
    expect(made.stderr).toMatch(
      /kept nowhere\.\nThe configuration has no route of this name: dmeo\nThe configuration has no MCP server of this name: files\n$/u,
    );
  });

  test('are shown with their last request where there was one, and with nothing of the key itself', async () => {
    await askChat(up.url, CLIENT, 'Hello');
    const shown = async (): Promise<string> => (await run('keys', 'show', 'team')).stdout;
    await vi.waitFor(
      async () => expect(await shown()).toMatch(/^last used +\d{4}-\S+Z {2}openai-chat 200$/mu),
      {
        timeout: 20_000,
      },
    );
    expect(await shown()).toMatch(/^created +by the configuration$/mu);
    await run('keys', 'create', 'dan');
    expect((await run('keys', 'show', 'dan')).stdout).toMatch(/^last used +never, as far as/mu);
    const [text, list] = await Promise.all(['team', 'dan'].map((name) => json('keys', 'show', name)));
    expect(text).toMatchObject({ items: [{ id: 'team', last: { status: 200, keyId: 'team' } }] });
    expect(JSON.stringify([text, list])).not.toMatch(/sha256|client-key/u);
    const { code, stderr } = await run('keys', 'show', 'nobody');
    expect([code, stderr]).toEqual([1, expect.stringContaining('(cli/key-unknown)')]);
  }, 60_000);

  test('one without the right to it cannot use the admin API', async () => {
    const env = { TOOLGATE_URL: up.url, TOOLGATE_ADMIN_KEY: CLIENT };
    const { code, stderr } = await runMain(['keys', 'list'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('[admin_required]')]);
  });
});

/** Calls are logged in batches: what was just refused is listed a moment later. */
async function logged(...filter: readonly string[]) {
  for (;;) {
    const { items } = (await json('calls', 'list', ...filter)) as {
      readonly items: readonly { readonly id: string; readonly reason: string }[];
    };
    if (items.length > 0) return items;
  }
}

describe('calls', () => {
  test('what was refused is told with its reason', async () => {
    const { body } = await askChat(up.url, CLIENT, 'call delete_all {}', 'delete_all');
    expect(JSON.stringify(body)).not.toContain('"tool_calls":[');
    const items = await logged('--verdict', 'refused', '--tool', 'delete_all');
    expect(items).toHaveLength(1);
    const { stdout } = await run('calls', 'show', items[0]?.id ?? '');
    expect(stdout).toContain('delete_all');
    expect(stdout).toContain(String(items[0]?.reason));
    expect(await json('calls', 'list', '--tool', 'none')).toEqual({ items: [], more: false });
  });

  test('a limit is kept over pages, and more is told', async () => {
    for (const name of ['a', 'b', 'c']) await askChat(up.url, CLIENT, `call ${name} {}`, name);
    await logged('--tool', 'c');
    const { stderr, stdout } = await run('calls', 'list', '--limit', '2');
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain('There are more than 2');
  });
});

describe('traffic', () => {
  test('is listed by what was asked for and by whom, and one request is shown with all that it took', async () => {
    const { body } = await askChat(up.url, CLIENT, 'Hello');
    expect(body).toHaveProperty('choices');
    const list = async (...filter: readonly string[]): Promise<string> =>
      (await run('traffic', 'list', '--limit', '5', ...filter)).stdout;
    await vi.waitFor(async () => expect(await list('--surface', 'openai-chat')).toContain('demo'), {
      timeout: 20_000,
    });
    const [, first = ''] = (await list('--route', 'demo')).split('\n');
    expect(first).toMatch(/^demo +200 +openai-chat +main +ana +\d+ +\d+ +\S+Z +\S+$/u);
    const id = first.split(' ').at(-1) ?? '';
    const { stdout } = await run('traffic', 'show', id);
    expect(stdout).toMatch(/^key +team$/mu);
    expect(stdout).toMatch(/^tokens in +\d+$/mu);
    expect(await json('traffic', 'show', id)).toMatchObject({ id, route: 'demo', losses: [] });
    // The admin API is traffic, too.
    expect(await list('--surface', 'admin')).toMatch(/^\w+ +200 +admin +bob/mu);
    expect((await run('traffic', 'show', 'nobody')).stderr).toContain('No request has this id.');
  }, 60_000);
});

describe('reload', () => {
  afterEach(async () => {
    folder.write('gateway.yaml', CONFIG);
    expect((await run('reload')).code).toBe(0);
  });

  test('says what serves from then on, and what waits for a restart', async () => {
    const { code, stderr, stdout } = await run('reload');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^applied {2}configuration \d+ serves\n$/u);
    folder.write('gateway.yaml', CONFIG.replace('gateway.db', 'other.db'));
    expect((await run('reload')).stdout).toMatch(/^applied .*\nwaits {4}for a restart: \/storage\/url\n$/u);
  });

  test('says why and where a configuration is refused, and what goes on serving', async () => {
    const text = CONFIG.replace('provider: main', 'provider: mian');
    folder.write('gateway.yaml', text);
    const line = text.split('\n').findIndex((each) => each.includes('mian')) + 1;
    const { code, stdout } = await run('reload');
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^refused {2}line ${line}, column \\d+, /routes/0/candidates/0/provider: .* \\(gateway/config-invalid\\)\\n {9}configuration \\d+ goes on serving\\n$`,
          'u',
        ),
      ),
    ]);
    const json = await run('reload', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { published: false, place: { line } }]);
  });

  test('says what it does not understand of an answer', async () => {
    const wrong = createServer((_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`;
    const { code, stderr } = await run('reload', '--url', url);
    expect([code, stderr]).toEqual([1, expect.stringContaining('(cli/gateway-invalid)')]);
    await new Promise((resolve) => wrong.close(resolve));
  });
});

describe('the audit', () => {
  const exported = async (): Promise<string> => (await run('audit', 'export')).stdout;
  const verify = async (text: string, ...more: readonly string[]) => {
    folder.write('audit.jsonl', text);
    const { code, stdout } = await run('audit', 'verify', 'audit.jsonl', '--json', ...more);
    return { code, verdict: JSON.parse(stdout) as unknown };
  };
  const headOf = (text: string): string => {
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as {
      readonly seq: number;
      readonly digest: string;
    };
    return `${last.seq}:${last.digest}`;
  };

  test('is whole in the gateway, in the database and in the file, and each says the same head', async () => {
    const text = await exported();
    const head = headOf(text);
    const here = ['audit', 'verify', '--database', 'sqlite:gateway.db', '--anchor', head];
    for (const argv of [['audit', 'verify'], here]) {
      const { code, stdout } = await run(...argv);
      expect([code, stdout]).toEqual([0, expect.stringContaining(head)]);
    }
    expect(await verify(text, '--anchor', head)).toMatchObject({ code: 0, verdict: { ok: true } });
    expect((await run('audit', 'export', '--database', 'sqlite:gateway.db')).stdout).toBe(text);
  }, 60_000);

  test('names the first record that was changed, taken out, moved, cut off or is no text', async () => {
    const text = await exported();
    const lines = text.split(/(?<=\n)/u);
    const count = lines.length;
    const head = headOf(text);
    const bad = (seq: number, fault: string) => ({ code: 1, verdict: { ok: false, seq, fault } });
    expect(await verify(lines.with(2, (lines[2] ?? '').replace('"at":1', '"at":2')).join(''))).toEqual(
      bad(3, 'digest'),
    );
    expect(await verify(lines.toSpliced(1, 1).join(''))).toEqual(bad(2, 'sequence'));
    expect(await verify([...lines.slice(0, 1), lines[2], lines[1], ...lines.slice(3)].join(''))).toEqual(
      bad(2, 'sequence'),
    );
    expect(await verify(lines.slice(0, -1).join(''), '--anchor', head)).toEqual(bad(count, 'truncated'));
    expect(await verify(text.slice(0, -1))).toEqual(bad(count, 'unreadable'));
    folder.write(
      'audit.jsonl',
      Buffer.concat([
        Buffer.from(lines.slice(0, 2).join('')),
        Buffer.from([0xff, 0x0a]),
        Buffer.from(lines.slice(3).join('')),
      ]),
    );
    const { code, stdout } = await run('audit', 'verify', 'audit.jsonl');
    expect([code, stdout]).toEqual([
      1,
      'broken  record 3: it is no record, or spelled otherwise than it was written (unreadable)\n',
    ]);
  }, 60_000);

  test('may take as long as the history of the gateway needs', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    try {
      expect((await run('audit', 'verify')).code).toBe(0);
      expect((await run('keys', 'list')).stderr).toContain('does not answer');
    } finally {
      timeout.mockRestore();
    }
  });

  test.each([
    [['--database', 'sqlite:none.db'], 1, 'cli/input-unreadable'],
    [['--database', 'mysql://x'], 1, 'gateway/storage-invalid'],
    [['--database', 'sqlite:empty.db'], 1, 'gateway/storage-invalid'],
    [['none.jsonl'], 1, 'cli/input-unreadable'],
    [['--anchor', '7'], 2, 'cli/usage'],
    [['a', '--database', 'sqlite:gateway.db'], 2, 'cli/usage'],
  ] as const)('cannot be checked with %j', async (argv, code, expected) => {
    folder.write('empty.db', '');
    const { stderr, ...result } = await run('audit', 'verify', ...argv);
    expect([result.code, stderr]).toEqual([code, expect.stringContaining(`(${expected})`)]);
  });
});

test('a stop gives a waiting call its time, then an error that is no answer, and the question stays', async () => {
  const asked = mail('gina');
  const id = await waiting();
  expect(await up.end('SIGTERM')).toBe(143);
  const { body } = await asked;
  expect(body).not.toHaveProperty('choices');
  expect(JSON.stringify(body)).toContain('draining');
  up = await start();
  expect(await json('approvals', 'show', id)).toMatchObject({ status: 'pending' });
}, 120_000);

test('kill -9 while a call waits loses neither the question nor the answer, and the audit stays whole', async () => {
  const asked = mail('fred').catch(() => 'gone');
  const id = await waiting();
  expect(await up.end('SIGKILL')).toBe('SIGKILL');
  expect(await asked).toBe('gone');
  up = await start();
  expect(await json('approvals', 'show', id)).toMatchObject({ status: 'pending', tool: 'send_mail' });
  expect(await json('approvals', 'approve', id)).toMatchObject({ status: 'approved' });
  expect(await up.end('SIGKILL')).toBe('SIGKILL');
  up = await start();
  expect(await json('approvals', 'show', id)).toMatchObject({
    status: 'approved',
    settlement: { by: 'bob' },
  });
  // The same call again uses the yes up, once.
  expect(JSON.stringify((await mail('fred')).body)).toContain('"{\\"to\\":\\"fred\\"}"');
  expect(await json('approvals', 'show', id)).toHaveProperty('consumedAt');
  expect((await run('audit', 'verify')).code).toBe(0);
  expect(readFileSync(join(folder.path, 'gateway.yaml'), 'utf8')).toBe(CONFIG);
}, 120_000);
