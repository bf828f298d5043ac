import { createFakeClock } from '@toolgate/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PAY, payment } from '../../test-support/approval-fixtures.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { ApprovalStore } from '../ports/approval-store.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createApprovalStore } from './approval-store.ts';

const approve = { verdict: 'approve', by: 'rita' } as const;
const decline = { verdict: 'decline', by: 'rob' } as const;

describe('approvals', () => {
  let storage: Storage;
  let store: ApprovalStore;
  let errors: unknown[];

  beforeEach(async () => {
    errors = [];
    storage = await openStorage('sqlite::memory:');
    const clock = createFakeClock({ now: 1_000 });
    store = await createApprovalStore({ storage, clock, onError: (error) => errors.push(error) });
  });
  afterEach(async () => {
    await store.close();
    await storage.close();
  });

  test.each([
    ['arguments of another digest', payment('a', { argumentsDigest: `sha256:${'0'.repeat(64)}` }), 'policy/'],
    ['an unreadable expiry', payment('a', { expiresAt: Number.NaN }), 'policy/'],
    ['a place with a NUL', { ...payment('a'), place: 'a\0b' }, 'gateway/entry-invalid'],
    ['half a surrogate pair', payment('a', { principal: '\ud800' }), ''],
    ['an unknown origin', { ...payment('a'), origin: 'ui' as 'llm' }, 'gateway/entry-invalid'],
    ['a definition that is none', { ...payment('a'), definition: {} as typeof PAY }, 'gateway/entry-invalid'],
  ])('with %s are refused and leave nothing behind', async (_name, approval, code) => {
    await expect(store.create(approval)).rejects.toThrow(
      expect.objectContaining({ code: expect.stringContaining(code) }),
    );
    expect((await createAuditLog({ storage }).head()).seq).toBe(0);
  });

  test.each([
    ['another verdict', { verdict: 'allow' as 'approve', by: 'rita' }],
    ['nobody', { verdict: 'approve', by: '' } as const],
    ['the gateway itself', { verdict: 'approve', by: 'system' } as const],
    ['a name with a control', { verdict: 'approve', by: 'a\nb' } as const],
    ['edited arguments of a no', { ...decline, arguments: {} }],
    ['arguments without a JSON form', { ...approve, arguments: { n: Number.NaN } }],
    ['an endless reason', { ...decline, reason: 'a'.repeat(2_001) }],
  ])('do not take a decision with %s', async (_name, decision) => {
    await store.create(payment('a'));
    await expect(store.decide('a', decision)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/entry-invalid' }),
    );
    expect((await store.get('a'))?.status).toBe('pending');
  });

  test.each([
    ['an expiry that was pushed out', { expires_at: 99_000_000 }],
    ['a negative expiry', { expires_at: -1 }],
    ['another status', { status: 'approved' }],
    ['an unknown status', { status: 'yes' }],
    ['another principal', { principal: 'eve' }],
    ['other arguments', { request: JSON.stringify({ ...payment('a').request, arguments: { amount: 9 } }) }],
    ['a request that is no JSON', { request: '{"a":1,"a":2}' }],
    ['a digest that is none', { arguments_digest: 'sha256:0' }],
    ['another tool', { tool: 'refund' }],
    ['another definition', { definition: JSON.stringify({ ...PAY, description: 'Reads.' }) }],
    ['a use before any decision', { consumed_at: 5 }],
  ])('with %s written into the database open nothing', async (_name, set) => {
    await store.create(payment('a'));
    // What an attacker or a broken disk would do.
    await storage.write(async (transaction) => {
      await transaction.updateTable('toolgate_approvals').set(set).execute();
    });
    const refused = expect.objectContaining({ code: 'gateway/record-unreadable' });
    await expect(store.get('a')).rejects.toThrow(refused);
    await expect(store.decide('a', approve)).rejects.toThrow(refused);
    await expect(store.consume('a')).rejects.toThrow(refused);
    await expect(store.wait('a')).rejects.toThrow(refused);
    await store.create(payment('b'));
    expect((await store.list()).items.map(({ id }) => id)).toEqual(['b']);
    expect(errors).toContainEqual(refused);
  });

  test.each([
    ['a yes that nobody gave', { status: 'approved', settled_by: 'rita', settled_at: 1_000 }],
    ['more time, in every place', { expires_at: 99_000_000, request: null }],
    ['another key', { key_id: 'key-2' }],
    ['another place', { place: 'other' }],
    ['another revision', { revision: 7 }],
  ])(
    'into which somebody wrote %s open nothing, because the audit says something else',
    async (_what, set) => {
      await store.create(payment('a'));
      await storage.write(async (transaction) => {
        await transaction.updateTable('toolgate_approvals').set(set).execute();
      });
      const refused = expect.objectContaining({ code: 'gateway/record-unreadable' });
      await expect(store.consume('a')).rejects.toThrow(refused);
      await expect(store.decide('a', approve)).rejects.toThrow(refused);
    },
  );

  test('that were declined, used or decided by another do not become good again', async () => {
    for (const id of ['declined', 'used', 'other']) await store.create(payment(id));
    await store.decide('declined', decline);
    await store.decide('used', approve);
    await store.consume('used');
    await store.decide('other', approve);
    const { revision } = (await store.get('used')) ?? {};
    for (const [id, set] of [
      ['declined', { status: 'approved' }],
      ['used', { consumed_at: null }],
      // As it was before it was used.
      ['used', { consumed_at: null, revision: Number(revision) - 1 }],
      ['other', { settled_by: 'somebody-else' }],
    ] as const) {
      await storage.write(async (transaction) => {
        await transaction.updateTable('toolgate_approvals').set(set).where('id', '=', id).execute();
      });
      await expect(store.consume(id), id).rejects.toThrow(
        expect.objectContaining({ code: 'gateway/record-unreadable' }),
      );
    }
  });
});
