import { expect, test } from 'vitest';
import { checkProfile, checkResultBudget } from './check-policies.ts';

const invalid = expect.objectContaining({ code: 'tool/options-invalid' });

test('a profile is copied and frozen', () => {
  const raw = { class: 'write', timeoutMs: 5_000, resourceKey: 'k', idempotent: true, checkWith: 'look' };
  const profile = checkProfile(raw);
  expect(profile).toEqual(raw);
  expect(profile).not.toBe(raw);
  expect(Object.isFrozen(profile)).toBe(true);
  expect(checkProfile({})).toEqual({});
  expect(checkProfile({ timeoutMs: 'none', resourceKey: () => 'k' }).timeoutMs).toBe('none');
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a word', 'read'],
  ['a list', []],
  ['a class outside the list', { class: 'admin' }],
  ['an inherited class', { class: 'constructor' }],
  ['a timeout of zero', { timeoutMs: 0 }],
  ['a negative timeout', { timeoutMs: -1 }],
  ['a timeout that is no number', { timeoutMs: Number.NaN }],
  ['an endless timeout that is not written out', { timeoutMs: Number.POSITIVE_INFINITY }],
  ['a timeout as text', { timeoutMs: '5' }],
  ['a blank key', { resourceKey: ' ' }],
  ['a key that is a number', { resourceKey: 7 }],
  ['idempotent as text', { idempotent: 'yes' }],
  ['a check that is no name', { checkWith: 'two words' }],
  ['a misspelt field', { timeout: 5 }],
  ['a field written as undefined', { class: undefined }],
])('%s is no profile', (_, raw) => {
  expect(() => checkProfile(raw)).toThrow(invalid);
});

test('a result budget is copied and frozen', () => {
  expect(checkResultBudget({ bytes: 10, overflow: 'fail' })).toEqual({ bytes: 10, overflow: 'fail' });
  expect(Object.isFrozen(checkResultBudget({ bytes: 'none', overflow: 'store' }))).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['a number', 100],
  ['no overflow', { bytes: 10 }],
  ['no bytes', { overflow: 'fail' }],
  ['no room at all', { bytes: 0, overflow: 'fail' }],
  ['half a byte', { bytes: 1.5, overflow: 'fail' }],
  ['an endless budget that is not written out', { bytes: Number.POSITIVE_INFINITY, overflow: 'fail' }],
  ['another overflow', { bytes: 10, overflow: 'drop' }],
  ['a misspelt field', { bytes: 10, overflow: 'fail', byte: 1 }],
])('%s is no result budget', (_, raw) => {
  expect(() => checkResultBudget(raw)).toThrow(invalid);
});
