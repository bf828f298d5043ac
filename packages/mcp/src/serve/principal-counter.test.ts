import { expect, test } from 'vitest';
import { PrincipalCounter } from './principal-counter.ts';

test('each principal has as many places as the limit says, and gives each back once', () => {
  const counter = new PrincipalCounter(2);
  const first = counter.enter('a');
  expect(first).toBeTypeOf('function');
  expect(counter.enter('a')).toBeTypeOf('function');
  expect(counter.enter('a')).toBeUndefined();
  expect(counter.enter('b')).toBeTypeOf('function');
  first?.();
  first?.();
  expect(counter.enter('a')).toBeTypeOf('function');
  expect(counter.enter('a')).toBeUndefined();
});

test('who has nothing open takes no room, whatever the name', () => {
  const counter = new PrincipalCounter(1);
  for (const name of ['__proto__', 'constructor', 'a']) counter.enter(name)?.();
  expect(counter.size).toBe(0);
});

test('all of them together have as many places as the total says', () => {
  const counter = new PrincipalCounter(2, 3);
  const places = ['a', 'a', 'b', 'c'].map((name) => counter.enter(name));
  expect(places.map((place) => place !== undefined)).toEqual([true, true, true, false]);
  places[0]?.();
  places[0]?.();
  expect(counter.enter('c')).toBeTypeOf('function');
  expect(counter.enter('d')).toBeUndefined();
});
