import { describe, expect, test } from 'vitest';
import { ask, askPayment, at } from '../../test-support/admin.ts';
import { type TestGateway, withGateway } from '../../test-support/gateway-fixture.ts';

const withAdmin = <Result>(use: (gateway: TestGateway) => Promise<Result>): Promise<Result> =>
  withGateway({ providers: {}, grants: { admin: true } }, use);

describe('approvals', () => {
  test('are listed newest first, page by page, narrowed, and without arguments', async () => {
    await withAdmin(async (gateway) => {
      for (const id of ['a', 'b', 'c']) await askPayment(gateway, id);
      await gateway.stores.approvals.decide('b', { verdict: 'decline', by: 'rex' });
      const first = await ask(gateway, '/api/approvals?limit=2');
      expect(at(first.body, 'items')).toMatchObject([{ id: 'c', origin: 'llm', place: 'chat' }, { id: 'b' }]);
      expect(JSON.stringify(first.body)).not.toContain('amount');
      const rest = await ask(gateway, `/api/approvals?limit=2&cursor=${String(at(first.body, 'cursor'))}`);
      expect(rest.body).toMatchObject({ items: [{ id: 'a' }] });
      expect(rest.body).not.toHaveProperty('cursor');
      const declined = await ask(gateway, '/api/approvals?status=declined&origin=llm&tool=pay');
      expect(declined.body).toMatchObject({ items: [{ id: 'b', status: 'declined' }] });
      expect((await ask(gateway, '/api/approvals?origin=mcp')).body).toEqual({ items: [] });
    });
  });

  test('show what a reviewer wrote instead to whoever looks, and in no list and no answer besides', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a', 5);
      const decided = await ask(gateway, '/api/approvals/a/approve', { arguments: { amount: 4_321 } });
      const listed = await ask(gateway, '/api/approvals');
      const late = await ask(gateway, '/api/approvals/a/decline', {});
      expect([decided.status, listed.status, late.status]).toEqual([200, 200, 409]);
      for (const { body } of [decided, listed, late]) expect(JSON.stringify(body)).not.toContain('4321');
      expect((await ask(gateway, '/api/approvals/a')).body).toMatchObject({
        settlement: { arguments: { amount: 4_321 } },
      });
    });
  });

  test('are listed without reading what may be megabytes', async () => {
    await withAdmin(async (gateway) => {
      const { approvals } = gateway.stores;
      await askPayment(gateway, 'a');
      const [short] = (await approvals.list({}, { contents: false })).items;
      const [whole] = (await approvals.list()).items;
      expect(whole).toMatchObject({
        id: 'a',
        request: { arguments: { amount: 5 } },
        definition: { name: 'pay' },
      });
      const { definition: _definition, request: _request, ...facts } = whole ?? {};
      expect(short).toEqual(facts);
    });
  });

  test.each([
    '?status=maybe',
    '?limit=0',
    '?limit=501',
    '?limit=1e2',
    '?statuses=pending',
    '?tool=',
    '?tool=a&tool=b',
  ])('are not listed for the query %s', async (query) => {
    await withAdmin(async (gateway) => {
      const { body, status } = await ask(gateway, `/api/approvals${query}`);
      expect([status, body]).toMatchObject([400, { error: { code: 'entry_invalid' } }]);
    });
  });

  test('show the exact arguments to whoever looks, which is audited', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a', 12);
      const { body } = await ask(gateway, '/api/approvals/a');
      expect(body).toMatchObject({
        id: 'a',
        origin: 'llm',
        place: 'chat',
        principal: 'ana',
        class: 'external',
        why: 'Calls of this class need a yes.',
        request: { arguments: { amount: 12 } },
        definition: { name: 'pay', description: 'Pays.' },
      });
      expect(Number(at(body, 'expiresAt'))).toBeGreaterThan(Number(at(body, 'requestedAt')));
      const read = [];
      for await (const { actor, data, kind } of gateway.stores.audit.read()) read.push({ actor, data, kind });
      expect(read.at(-1)).toEqual({ kind: 'contents-read', actor: 'ana', data: { approval: 'a' } });
    });
  });

  test('that are not there are not found, whatever is wanted of them', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const answers = [
        await ask(gateway, '/api/approvals/b'),
        await ask(gateway, '/api/approvals/b/approve', {}),
        await ask(gateway, '/api/approvals/b/approve', { arguments: {} }),
        await ask(gateway, '/api/approvals/b/decline', {}),
        await ask(gateway, '/api/approvals/b/extend', { expiresAt: 8e15 }),
        await ask(gateway, '/api/approvals/%0d%0aset-cookie:x'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
      expect(await gateway.stores.approvals.get('a')).toMatchObject({ status: 'pending' });
    });
  });

  test.each([
    ['approve', { verdict: 'yes' }],
    ['approve', { arguments: [] }],
    ['approve', []],
    ['decline', { reason: 'x'.repeat(2_001) }],
    ['decline', { by: 'somebody else' }],
    ['extend', {}],
    ['extend', { expiresAt: '9000000000000' }],
    ['extend', { expiresAt: 1.5 }],
    ['extend', { expiresAt: Number.MAX_SAFE_INTEGER }],
  ])('take no body for %s that is %j', async (verb, body) => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const answered = await ask(gateway, `/api/approvals/a/${verb}`, body);
      expect([answered.status, at(answered.body, 'error', 'code')]).toEqual([400, 'entry_invalid']);
      expect(await gateway.stores.approvals.get('a')).toMatchObject({ status: 'pending' });
    });
  });
});

describe('a decision', () => {
  test('counts once: of two reviewers at the same moment one gets it, and the other what was decided', async () => {
    await withAdmin(async (gateway) => {
      const made = await ask(gateway, '/api/keys', { principal: 'rex', grants: { admin: true } });
      const { key } = made.body as { readonly key: string };
      for (const id of ['a', 'b', 'c', 'd']) {
        await askPayment(gateway, id);
        const answers = await Promise.all([
          ask(gateway, `/api/approvals/${id}/approve`, {}),
          ask(gateway, `/api/approvals/${id}/decline`, { reason: 'no' }, { key }),
        ]);
        const [won, lost] = answers[0].status === 200 ? answers : [answers[1], answers[0]];
        expect([won?.status, lost?.status]).toEqual([200, 409]);
        expect(lost?.body).toMatchObject({
          error: { code: 'approval_settled' },
          approval: { id, status: at(won?.body, 'status'), settlement: at(won?.body, 'settlement') },
        });
        expect(at(won?.body, 'settlement', 'by')).toBe(
          at(won?.body, 'status') === 'approved' ? 'ana' : 'rex',
        );
      }
    });
  });

  test('with other arguments counts only if the contract of the tool admits them', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const wrong = await ask(gateway, '/api/approvals/a/approve', { arguments: { amount: 'all' } });
      expect(wrong).toMatchObject({ status: 422, body: { error: { code: 'arguments_invalid' } } });
      expect(at(wrong.body, 'error', 'message')).toContain('/amount');
      expect(await gateway.stores.approvals.get('a')).toMatchObject({ status: 'pending' });
      const right = await ask(gateway, '/api/approvals/a/approve', { arguments: { amount: 1 } });
      expect(right.status).toBe(200);
      expect(await gateway.stores.approvals.get('a')).toMatchObject({
        status: 'approved',
        settlement: { by: 'ana', arguments: { amount: 1 } },
      });
      const late = await ask(gateway, '/api/approvals/a/approve', { arguments: { amount: 'all' } });
      expect(late).toMatchObject({ status: 409, body: { approval: { settlement: { by: 'ana' } } } });
    });
  });

  test('may take longer where an operator says so, but never less, and not once it was made', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      const { expiresAt } = (await gateway.stores.approvals.get('a')) ?? {};
      const later = Number(expiresAt) + 86_400_000;
      const given = await ask(gateway, '/api/approvals/a/extend', { expiresAt: later });
      expect(given).toMatchObject({ status: 200, body: { expiresAt: later, status: 'pending' } });
      const less = await ask(gateway, '/api/approvals/a/extend', { expiresAt: later - 1 });
      expect(at(less.body, 'expiresAt') ?? later).toBe(later);
      expect(await gateway.stores.approvals.get('a')).toMatchObject({ expiresAt: later });
      await ask(gateway, '/api/approvals/a/decline', { reason: 'not today' });
      const settled = await ask(gateway, '/api/approvals/a/extend', { expiresAt: later + 1 });
      expect(settled).toMatchObject({
        status: 409,
        body: { approval: { status: 'declined', settlement: { reason: 'not today' } } },
      });
    });
  });
});
