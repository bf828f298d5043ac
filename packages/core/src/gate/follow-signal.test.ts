import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createGate } from './create-gate.ts';
import { followSignal } from './follow-signal.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('all who follow a signal share a listener, are told once, in order, and leave nothing behind', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const told: string[] = [];
  const end = followSignal(signal, () => told.push('ended'));
  for (const name of ['a', 'b', 'c']) followSignal(signal, () => told.push(name));
  expect(listenersOf(signal)).toBe(1);
  end();
  end();
  controller.abort();
  controller.abort();
  expect(told).toEqual(['a', 'b', 'c']);
  expect(listenersOf(signal)).toBe(0);
});

test('the listener goes with the last who follows, and comes back with the next', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const told: string[] = [];
  const first = followSignal(signal, () => told.push('first'));
  const second = followSignal(signal, () => told.push('second'));
  first();
  expect(listenersOf(signal)).toBe(1);
  second();
  expect(listenersOf(signal)).toBe(0);
  followSignal(signal, () => told.push('third'));
  expect(listenersOf(signal)).toBe(1);
  controller.abort();
  expect(told).toEqual(['third']);
});

test('who is told may end it for another one, and follow again without being told', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const told: string[] = [];
  const ends: (() => void)[] = [];
  followSignal(signal, () => {
    told.push('a');
    ends[0]?.();
    followSignal(signal, () => told.push('late'));
  });
  ends.push(followSignal(signal, () => told.push('b')));
  controller.abort();
  expect(told).toEqual(['a']);
});

test('any number of sessions of one signal have one listener, and each is cancelled', async () => {
  const controller = new AbortController();
  const gate = createGate({ tools: [] });
  const sessions = await Promise.all(
    Array.from({ length: 30 }, () => gate.open({ context: undefined, signal: controller.signal })),
  );
  expect(listenersOf(controller.signal)).toBe(1);
  await sessions[0]?.close();
  expect(listenersOf(controller.signal)).toBe(1);
  await Promise.all(sessions.map((session) => session.close()));
  expect(listenersOf(controller.signal)).toBe(0);
});
