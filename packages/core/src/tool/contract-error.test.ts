import { expect, test } from 'vitest';
import { ContractError, contractErrorCodes } from './contract-error.ts';

test('an error carries its code, its place and its cause, and only the first two are serialised', () => {
  const cause = new Error('inner');
  const error = new ContractError('tool/schema-invalid', 'no', { pointer: '/a', cause });
  expect(error).toMatchObject({
    name: 'ContractError',
    code: 'tool/schema-invalid',
    pointer: '/a',
    message: 'no',
  });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error)).not.toContain('inner');
});

test('an error without a place or a cause has none', () => {
  const error = new ContractError('tool/not-a-tool', 'no');
  expect(error.pointer).toBeUndefined();
  expect(Object.hasOwn(error, 'cause')).toBe(false);
});

test('an error of a second copy is recognised', () => {
  const other = Object.assign(new Error('no'), { name: 'ContractError', code: 'tool/not-a-tool' });
  expect(ContractError.is(other)).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['plain data', { name: 'ContractError', code: 'tool/not-a-tool' }],
  ['another error', new TypeError('no')],
  ['the name alone', Object.assign(new Error('no'), { name: 'ContractError' })],
  ['a foreign code', Object.assign(new Error('no'), { name: 'ContractError', code: 'json/bom' })],
  ['a code that is no text', Object.assign(new Error('no'), { name: 'ContractError', code: 7 })],
  [
    'a proxy that throws',
    new Proxy(new Error('no'), {
      get: () => {
        throw new Error('trap');
      },
    }),
  ],
])('%s is not taken for one', (_, value) => {
  expect(ContractError.is(value)).toBe(false);
});

test('no code is listed twice', () => {
  expect(new Set(contractErrorCodes).size).toBe(contractErrorCodes.length);
});
