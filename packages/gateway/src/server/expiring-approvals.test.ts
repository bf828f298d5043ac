import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import { createExpiringApprovals } from './expiring-approvals.ts';

const DAY_MS = 86_400_000;

function pending(change: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    id: 'a',
    status: 'pending',
    requestedAt: 0,
    expiresAt: 1_000,
    revision: 1,
    ...change,
  } as ApprovalRecord;
}

function started(now = 0) {
  const clock = createFakeClock({ now });
  const told: string[] = [];
  const expiring = createExpiringApprovals(clock, ({ id, revision }) => {
    told.push(`${id}.${revision} at ${clock.now()}`);
  });
  return { clock, expiring, told };
}

describe('an approval that nobody decides', () => {
  test('is told of once, when a tenth of its time is left', async () => {
    const { clock, expiring, told } = started();
    expiring.see(pending());
    expiring.see(pending());
    await clock.advance(899);
    expect(told).toEqual([]);
    await clock.advance(1);
    expiring.see(pending());
    await clock.advance(5_000);
    expect(told).toEqual(['a.1 at 900']);
    expect(clock.pending).toBe(0);
  });

  test('is told of at once where less is left', async () => {
    const { clock, expiring, told } = started(950);
    expiring.see(pending());
    await clock.advance(0);
    expect(told).toEqual(['a.1 at 950']);
  });

  test('is told of again at the end of the time that an operator added', async () => {
    const { clock, expiring, told } = started();
    expiring.see(pending());
    await clock.advance(950);
    expiring.see(pending({ revision: 5, expiresAt: 2_000 }));
    await clock.advance(5_000);
    expect(told).toEqual(['a.1 at 900', 'a.5 at 1800']);
  });

  test('may be given months, which no timer of the platform lasts', async () => {
    const { clock, expiring, told } = started();
    expiring.see(pending({ expiresAt: 100 * DAY_MS }));
    await clock.advance(90 * DAY_MS - 1);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual([`a.1 at ${90 * DAY_MS}`]);
  });
});

test.each<[string, Partial<ApprovalRecord>]>([
  ['that was decided', { status: 'approved', revision: 2 }],
  ['that is over', { status: 'expired', revision: 2 }],
])('nothing is told of one %s', async (_, change) => {
  const { clock, expiring, told } = started();
  expiring.see(pending());
  expiring.see(pending(change));
  await clock.advance(5_000);
  expect(told).toEqual([]);
});

test('nothing is told of one whose time was over before anybody looked', async () => {
  const { clock, expiring, told } = started(1_000);
  expiring.see(pending());
  await clock.advance(5_000);
  expect(told).toEqual([]);
});

test('nothing of what is asked for is kept until then', async () => {
  const clock = createFakeClock({ now: 0 });
  const told: object[] = [];
  createExpiringApprovals(clock, (approval) => told.push(approval)).see(pending({ why: 'kept elsewhere' }));
  await clock.advance(900);
  expect(told).toEqual([{ id: 'a', expiresAt: 1_000, revision: 1 }]);
});

test('nothing is told of one without an end, nor after the close', async () => {
  const { clock, expiring, told } = started();
  expiring.see(pending({ id: 'b', expiresAt: 'none' }));
  expiring.see(pending());
  expiring.close();
  await clock.advance(5_000);
  expect(told).toEqual([]);
  expect(clock.pending).toBe(0);
});
