import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../testing/src/clock/fake-clock.ts';
import { IdleList } from './idle-list.ts';

function listOf(busy: ReadonlySet<string> = new Set()) {
  const clock = createFakeClock();
  const expired: string[] = [];
  const list = new IdleList<string>({
    clock,
    idleMs: 100,
    isBusy: (value) => busy.has(value),
    onExpire: (value) => expired.push(value),
  });
  return { clock, expired, list };
}

test('what is not used falls out, what is used stays', async () => {
  const { clock, expired, list } = listOf();
  list.add('1', 'a');
  list.add('2', 'b');
  await clock.advance(99);
  list.touch('2');
  await clock.advance(1);
  expect([expired, list.get('1'), list.get('2')]).toEqual([['a'], undefined, 'b']);
  await clock.advance(200);
  expect([expired, list.size]).toEqual([['a', 'b'], 0]);
});

test('what is busy stays, however old', async () => {
  const busy = new Set(['a']);
  const { clock, expired, list } = listOf(busy);
  list.add('1', 'a');
  await clock.advance(1_000);
  expect(expired).toEqual([]);
  busy.clear();
  await clock.advance(100);
  expect(expired).toEqual(['a']);
});

test('an empty list has no timer', async () => {
  const { clock, list } = listOf();
  list.add('1', 'a');
  list.add('2', 'b');
  list.remove('1');
  expect(clock.pending).toBe(1);
  list.remove('2');
  expect(clock.pending).toBe(0);
  list.add('3', 'c');
  expect(list.clear()).toEqual(['c']);
  expect(clock.pending).toBe(0);
});

test('a touch does not bring back what is gone', () => {
  const { list } = listOf();
  list.touch('1');
  expect(list.size).toBe(0);
});

test('entries come in the order in which they were last used', () => {
  const { list } = listOf();
  for (const name of ['a', 'b', 'c']) list.add(name, name);
  list.touch('a');
  expect(list.filter(() => true).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});
