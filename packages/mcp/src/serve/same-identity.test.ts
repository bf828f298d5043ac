import { expect, test } from 'vitest';
import { isSameIdentity } from './same-identity.ts';

class Login {
  readonly #token: string;
  constructor(token: string) {
    this.#token = token;
  }
  get token(): string {
    return this.#token;
  }
}

const login = new Login('a');
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const loop = (): unknown => {
  const self: Record<string, unknown> = {};
  self['self'] = self;
  return self;
};

test.each<[string, unknown, unknown, boolean]>([
  ['nothing', undefined, undefined, true],
  ['texts', 'a', 'a', true],
  ['other texts', 'a', 'b', false],
  ['the same data', { admin: true, groups: ['a'] }, { groups: ['a'], admin: true }, true],
  ['other rights', { admin: true }, { admin: false }, false],
  ['another token', { token: 'old' }, { token: 'new' }, false],
  ['fewer members', { a: 1, b: 2 }, { a: 1 }, false],
  ['an own member that is undefined', { a: undefined }, { b: undefined }, false],
  ['a list and an object', [], {}, false],
  ['one object of a class', { login }, { login }, true],
  ['two objects of a class, whatever they hold', new Login('a'), new Login('a'), false],
  ['two functions', () => 1, () => 1, false],
  ['dates', new Date(0), new Date(0), false],
  ['what is very deep', nested(20), nested(20), false],
  ['what is very large', { a: Array(2_000).fill(1) }, { a: Array(2_000).fill(1) }, false],
  ['what holds itself', loop(), loop(), false],
])('%s are told apart or not', (_what, one, other, same) => {
  expect(isSameIdentity({ principal: 'p', context: one }, { principal: 'p', context: other })).toBe(same);
});

test('the principal and the narrowing count, too', () => {
  const identity = { principal: 'p', context: 1, narrow: { deny: ['a'] } };
  expect(isSameIdentity(identity, { ...identity, narrow: { deny: ['a'] } })).toBe(true);
  expect(isSameIdentity(identity, { ...identity, narrow: { deny: ['a', 'b'] } })).toBe(false);
  expect(isSameIdentity(identity, { principal: 'p', context: 1 })).toBe(false);
  expect(isSameIdentity(identity, { ...identity, principal: 'q' })).toBe(false);
});
