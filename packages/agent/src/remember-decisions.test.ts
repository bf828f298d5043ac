import type { ApprovalRequest } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { rememberDecisions } from './remember-decisions.ts';

const request = (expiresAt: number | 'none'): ApprovalRequest => ({ expiresAt }) as ApprovalRequest;

test('a decision is claimed once, also long after its time', async () => {
  const clock = createFakeClock();
  const claim = rememberDecisions(clock);
  expect([claim('a', request(1_000)), claim('a', request(1_000))]).toEqual([true, false]);
  await clock.advance(3_600_000);
  for (let index = 0; index < 5_000; index += 1) claim(`other ${index}`, request(clock.now() + 1));
  expect(claim('a', request(1_000))).toBe(false);
});

test('what is over is forgotten, and what has no end is not', async () => {
  const clock = createFakeClock();
  const claim = rememberDecisions(clock);
  expect(claim('endless', request('none'))).toBe(true);
  for (let round = 0; round < 200; round += 1) {
    for (let index = 0; index < 100; index += 1) claim(`${round} ${index}`, request(clock.now() + 60_000));
    await clock.advance(3_600_000);
  }
  expect(claim('0 0', request(60_000))).toBe(true);
  expect(claim('endless', request('none'))).toBe(false);
});
