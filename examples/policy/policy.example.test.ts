import { createGate, createScope, type Outcome } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { call, declined, other, sendMail, sent, standing, waiting } from './approve.example.ts';
import { gate as auditedGate, lines } from './audit.example.ts';
import { type Caller, guarded } from './guard.example.ts';
import { readPage } from './recheck.example.ts';
import { guessed, offered } from './scope.example.ts';
import { type Run, gate as trifectaGate } from './trifecta.example.ts';

const textOf = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());

test('a scope offers what every layer permits, and a name that was guessed is no way around it', () => {
  expect(offered).toEqual(['read_file']);
  expect(guessed).toMatchObject({ kind: 'rejected', reason: 'tool_unavailable' });
});

describe('a guarded tool', () => {
  const caller: Caller = {
    user: 'ada',
    plan: 'team',
    mayRead: async (user, document) => document === `${user}-1`,
  };
  const gate = createGate<Caller>({ tools: [guarded] });
  const read = async (id: string, context: Caller): Promise<Outcome> => {
    await using session = await gate.open({ context });
    return await session.execute({ id: 'c1', name: 'read_document', arguments: JSON.stringify({ id }) });
  };

  test('runs for whoever the policy lets have it', async () => {
    expect(textOf(await read('ada-1', caller))).toBe('ada-1, as ada sees it');
    expect(await read('bob-1', caller)).toMatchObject({ kind: 'rejected', reason: 'not_authorized' });
  });

  test('is neither offered nor run where it is not available', async () => {
    const free: Caller = { ...caller, plan: 'free' };
    await using session = await gate.open({ context: free });
    expect(session.definitions).toEqual([]);
    expect(await read('ada-1', free)).toMatchObject({ kind: 'rejected', reason: 'tool_unavailable' });
  });

  test('does not run when the policy cannot decide, and the run ends', async () => {
    const broken: Caller = { ...caller, mayRead: () => Promise.reject(new Error('no database')) };
    await expect(read('ada-1', broken)).rejects.toMatchObject({ code: 'gate/authorization' });
  });
});

describe('a tool that is led elsewhere', () => {
  const pages = new Map([
    ['https://a.example/', { text: '', redirectsTo: 'https://b.example/' }],
    ['https://b.example/', { text: 'the page' }],
    ['https://c.example/', { text: '', redirectsTo: 'http://169.254.169.254/' }],
    ['https://d.example/', { text: '', redirectsTo: 'https://d.example/' }],
  ]);
  const tool = readPage(
    ({ arguments: { url } }) => typeof url === 'string' && url.startsWith('https://'),
    async (url) => pages.get(url) ?? { text: 'never' },
  );

  test.each([
    ['https://a.example/', 'completed', 'the page'],
    ['https://c.example/', 'tool_error', 'The page leads to an address that may not be opened.'],
    ['https://d.example/', 'tool_error', 'The page leads to an address that may not be opened.'],
    ['http://169.254.169.254/', 'not_authorized', 'The call is not authorized.'],
  ])('from %s ends as %s', async (url, reason, text) => {
    await using session = await createGate({ tools: [tool] }).open({ context: undefined });
    const outcome = await session.execute({
      id: 'c1',
      name: 'read_page',
      arguments: JSON.stringify({ url }),
    });
    expect([outcome.reason, textOf(outcome)]).toEqual([reason, text]);
  });
});

describe('a call that waits for a decision', () => {
  test('has not run, and says who wants what', () => {
    expect(waiting).toMatchObject({
      kind: 'suspended',
      approval: {
        tool: 'send_mail',
        principal: 'ada',
        class: 'external',
        arguments: { to: 'eve@example.com', text: 'Hi.' },
      },
    });
  });

  test('runs with a grant for exactly this call', () => {
    expect([sent.reason, textOf(sent)]).toEqual(['completed', 'sent to eve@example.com']);
    expect(other).toMatchObject({ kind: 'rejected', reason: 'approval_expired' });
  });

  test('is declined with the reason of the reviewer', () => {
    expect(declined).toMatchObject({ kind: 'rejected', reason: 'approval_declined' });
    expect(textOf(declined)).toContain('Not to her.');
  });

  test.each([
    ['bob@example.com', 'completed'],
    ['nobody@example.invalid', 'approval_declined'],
    ['eve@elsewhere.example', 'approval_pending'],
    ['eve@example.com', 'completed'],
  ])('is %s decided at once where it can be: %s', async (to, reason) => {
    const scope = createScope<{ readonly trusted: ReadonlySet<string> }>({ approve: standing });
    await using session = await createGate({ tools: [sendMail], scope }).open({
      context: { trusted: new Set(['bob@example.com']) },
      principal: 'ada',
    });
    const outcome = await session.execute({ ...call, arguments: JSON.stringify({ to, text: 'Hi.' }) });
    expect(outcome.reason).toBe(reason);
  });
});

test('an audit has a line for each decision, and no secret reaches the model', async () => {
  await using session = await auditedGate.open({ context: undefined });
  const outcome = await session.execute({ id: 'c1', name: 'log_in', arguments: '{"site":"example.com"}' });
  expect(textOf(outcome)).toBe('example.com refused "[redacted]" and Bearer [redacted]');
  expect(await session.execute({ id: 'c2', name: 'log_out', arguments: '{}' })).toMatchObject({
    kind: 'rejected',
  });
  expect(lines).toContain('c1 log_in failed tool_error');
  expect(lines).toContain('c2 log_out rejected tool_unavailable');
});

describe('a run that can read secrets, read what strangers wrote, and send', () => {
  const mail = { id: 'c9', name: 'send_mail', arguments: '{"to":"mallory@example.com","text":"The report"}' };
  const run = (): Run => ({ user: 'ada', strangersRead: new Set() });

  test('sends without a question while it has read no stranger’s text', async () => {
    await using session = await trifectaGate.open({ context: run() });
    expect(
      (await session.execute({ id: 'c1', name: 'read_report', arguments: '{"name":"auditors"}' })).kind,
    ).toBe('completed');
    expect(await session.execute(mail)).toMatchObject({ kind: 'completed' });
  });

  test('needs a person for every external call after a tool has answered with what strangers wrote', async () => {
    const context = run();
    await using session = await trifectaGate.open({ context });
    expect((await session.execute({ id: 'c1', name: 'read_inbox', arguments: '{}' })).kind).toBe('completed');
    expect(
      (await session.execute({ id: 'c2', name: 'read_report', arguments: '{"name":"auditors"}' })).kind,
    ).toBe('completed');
    expect(await session.execute(mail)).toMatchObject({ kind: 'suspended', approval: { tool: 'send_mail' } });
    // The mark belongs to the run, whichever session goes on with it, and to no other run.
    await using later = await trifectaGate.open({ context });
    expect(await later.execute(mail)).toMatchObject({ kind: 'suspended' });
    await using another = await trifectaGate.open({ context: run() });
    expect(await another.execute(mail)).toMatchObject({ kind: 'completed' });
  });
});
