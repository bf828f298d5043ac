import { describe, expect, test } from 'vitest';
import { callerOf, leaving, mountScript, textOf } from '../../test-support/mount-fixture.ts';
import { plainTool, RpcFault } from '../../test-support/scripted-server.ts';
import type { ClientHooks } from '../client/client-hooks.ts';

const SECRET = 'postgres://app:pw@db.internal:5432/prod';
const tools = [plainTool('work')];

const page = { mode: 'url', url: 'https://login.example/a', message: 'Log in.', elicitationId: 'e1' };
const wanting = (...elicitations: unknown[]) => new RpcFault(-32_042, SECRET, { elicitations });
const done = { content: [{ type: 'text', text: 'done' }] };
const unopened = 'wants a person to open a page first';

/** The page that a person is sent to. */
async function shownOf(wanted: object): Promise<{ readonly message: string } | undefined> {
  const shown: { readonly message: string }[] = [];
  const openUrl: ClientHooks['openUrl'] = async (params) => {
    shown.push(params);
    return { action: 'decline' };
  };
  const { mount } = await mountScript({ tools, call: () => wanting(wanted) }, { hooks: { openUrl } });
  expect((await (await callerOf(mount))('work')).kind).toBe('failed');
  return shown[0];
}

describe('a page that a server wants to be visited', () => {
  const calling = async (answers: unknown[], action: 'accept' | 'decline' | 'cancel' = 'accept') => {
    const opened: unknown[] = [];
    const openUrl = async (params: unknown) => {
      opened.push(params);
      return { action };
    };
    const { server, mount } = await mountScript(
      { tools, call: () => answers.shift() },
      { hooks: { openUrl } },
    );
    const outcome = await (await callerOf(mount))('work');
    return { outcome, opened, server };
  };

  test('is put before a person, and then the call is sent again', async () => {
    const { outcome, opened, server } = await calling([
      wanting(page, { ...page, elicitationId: 'e2' }),
      done,
    ]);
    expect([textOf(outcome), opened.length, opened[0]]).toEqual(['done', 2, page]);
    expect(server.of('tools/call')).toHaveLength(2);
    const announced = server.of('initialize')[0]?.params?.['capabilities'];
    expect(announced).toMatchObject({ elicitation: { url: {} } });
    expect(announced).not.toHaveProperty('elicitation.form');
  });

  test('and wanted again after that is a failure: it is asked for once', async () => {
    const { outcome, opened } = await calling([wanting(page), wanting(page), done]);
    expect([outcome.kind, opened.length]).toEqual(['failed', 1]);
  });

  test.each(['decline', 'cancel'] as const)('by a person who says %s is no call', async (action) => {
    const { outcome, server } = await calling([wanting(page), done], action);
    expect([outcome.kind, server.of('tools/call').length]).toEqual(['failed', 1]);
    expect(textOf(outcome)).toContain(unopened);
    expect(leaving(outcome)).not.toContain('login.example');
  });

  test.each([
    ['a script', [{ ...page, url: 'javascript:alert(1)' }]],
    ['a file', [{ ...page, url: 'file:///etc/passwd' }]],
    ['a name before its host', [{ ...page, url: 'https://bank.example@login.example/' }]],
    ['no address', [{ ...page, url: 'login' }]],
    ['none at all', []],
    ['one that is no page beside one that is', [page, { ...page, url: 'data:text/html,x' }]],
    ['no list', [null]],
  ])('at %s is put before nobody', async (_what, elicitations) => {
    const { outcome, opened } = await calling([wanting(...elicitations), done]);
    expect([outcome.kind, opened]).toEqual(['failed', []]);
  });

  test('while a call runs is put before a person, and never as a form', async () => {
    const asking = async (params: object, hooks: object) => {
      const { server } = await mountScript({ tools }, { hooks });
      server.send({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params });
      await expect.poll(() => server.received.find(({ id }) => id === 'q1')).toBeDefined();
      return server.received.find(({ id }) => id === 'q1');
    };
    const forbidden = async () => {
      throw new Error('asked');
    };
    const openUrl = async () => ({ action: 'accept' as const });
    expect(await asking(page, { openUrl, elicit: forbidden })).toMatchObject({
      result: { action: 'accept' },
    });
    const form = { message: 'Password?', requestedSchema: { type: 'object', properties: {} } };
    expect(await asking(form, { openUrl })).toMatchObject({ error: { code: -32_602 } });
    expect(await asking(page, { elicit: forbidden })).toMatchObject({ error: { code: -32_602 } });
    const script = { ...page, url: 'javascript:alert(1)' };
    expect(await asking(script, { openUrl: forbidden })).toMatchObject({ error: { code: -32_602 } });
  });
});

describe('what a person is shown of a page', () => {
  test.each([
    ['https://ok.example\\@evil.example/', 'https://ok.example/@evil.example/'],
    ['ht\ntps://ok.example/', 'https://ok.example/'],
    ['https://ok.example\t.evil.example/', 'https://ok.example.evil.example/'],
    ['https://@ok.example/', 'https://ok.example/'],
    ['https://ok.example/\u0000x', 'https://ok.example/%00x'],
    ['https://ok.example/\u202egnp', 'https://ok.example/%E2%80%AEgnp'],
  ])('is the address that a browser reads: %j', async (url, shown) => {
    expect(await shownOf({ ...page, url })).toMatchObject({ url: shown });
  });

  test('is a message that moves no cursor and turns no words', async () => {
    const message = 'Log\u001b[2J in.\u202e\u0085\nNow. \ud83d';
    expect(await shownOf({ ...page, message })).toMatchObject({ message: 'Log[2J in.\nNow. \ufffd' });
  });

  test('is nothing of an address without bounds, and the start of such a message', async () => {
    expect(await shownOf({ ...page, url: `https://ok.example/${'x'.repeat(10_000)}` })).toBeUndefined();
    const shown = await shownOf({ ...page, message: 'x'.repeat(10_000) });
    expect(shown?.message).toHaveLength(4_096);
  });
});

describe('a hook that opens pages', () => {
  test('learns when the server says that the person is done', async () => {
    const answers = [wanting(page), done];
    const openUrl: ClientHooks['openUrl'] = async ({ elicitationId }, _signal, completed) => {
      for (const id of ['other', elicitationId])
        server.send({
          jsonrpc: '2.0',
          method: 'notifications/elicitation/complete',
          params: { elicitationId: id },
        });
      await completed;
      return { action: 'accept' };
    };
    const { server, mount } = await mountScript(
      { tools, call: () => answers.shift() },
      { hooks: { openUrl } },
    );
    expect(textOf(await (await callerOf(mount))('work'))).toBe('done');
  });

  test('and never settles ends with its call, which was not carried out, and keeps no other one going', async () => {
    const answers = [wanting(page)];
    const openUrl = () => new Promise<never>(() => undefined);
    const { mount } = await mountScript(
      { tools, call: () => answers.shift() ?? new Promise(() => undefined) },
      { hooks: { openUrl }, rules: [{ tool: '*', timeoutMs: 50, maxTimeoutMs: 200 }] },
    );
    const call = await callerOf(mount);
    const outcome = await call('work');
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', expect.stringContaining(unopened)]);
    const began = Date.now();
    expect((await call('work')).kind).toBe('unknown');
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test('and is cancelled with its call was asked in vain: nothing was carried out', async () => {
    const cancel = new AbortController();
    const openUrl = () => {
      queueMicrotask(() => cancel.abort());
      return new Promise<never>(() => undefined);
    };
    const { mount } = await mountScript({ tools, call: () => wanting(page) }, { hooks: { openUrl } });
    const outcome = await (await callerOf(mount, {}, cancel.signal))('work');
    expect([outcome.kind, textOf(outcome)]).toEqual(['rejected', expect.stringContaining('not started')]);
  });
});

test('a page of a call of the newest revision that nobody may be sent to fails the call, and not for its arguments', async () => {
  const asks = {
    resultType: 'input_required',
    requestState: 'state',
    inputRequests: { q: { method: 'elicitation/create', params: { ...page, url: 'javascript:alert(1)' } } },
  };
  const openUrl = async () => ({ action: 'accept' as const });
  const { mount } = await mountScript({ tools, call: () => asks, modern: true }, { hooks: { openUrl } });
  const outcome = await (await callerOf(mount))('work');
  expect([outcome.kind, textOf(outcome)]).toEqual(['failed', expect.stringContaining('did not get')]);
});
