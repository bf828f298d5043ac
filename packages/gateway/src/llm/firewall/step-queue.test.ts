import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../../test/support/growth.ts';
import type { AnswerStep } from '../answer/answer-step.ts';
import { StepQueue } from './step-queue.ts';

const step = (text: string): AnswerStep => ({ events: [{ kind: 'text-delta', index: 0, text }] });

test('what waits goes in its order, also where more comes meanwhile', () => {
  const queue = new StepQueue();
  const steps = Array.from({ length: 5_000 }, (_, at) => step(String(at)));
  const gone: AnswerStep[] = [];
  for (const [at, each] of steps.entries()) {
    queue.push(each);
    expect(queue.last).toBe(each);
    if (at % 3 === 0) continue;
    if (queue.first !== undefined) gone.push(queue.first);
    queue.shift();
  }
  expect([...gone, ...queue.rest()]).toEqual(steps);
  queue.replaceFirst(step('other'));
  expect(queue.first).toEqual(step('other'));
  while (!queue.isEmpty) queue.shift();
  queue.shift();
  expect([queue.first, queue.last, queue.rest()]).toEqual([undefined, undefined, []]);
  queue.replaceFirst(step('nothing'));
  queue.push(step('again'));
  expect(queue.rest()).toEqual([step('again')]);
  queue.clear();
  expect(queue.isEmpty).toBe(true);
});

test('many that wait go out in time that grows with their number', () => {
  const one = step('');
  const drain = (size: number): void => {
    const queue = new StepQueue();
    for (let at = 0; at < size; at += 1) queue.push(one);
    while (!queue.isEmpty) queue.shift();
  };
  expect(growth(drain, 25_000)).toBeLessThan(GROWTH * 4);
});
