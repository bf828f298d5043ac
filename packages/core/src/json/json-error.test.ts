import { expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import { JSON_ERROR_CODES } from './json-error-code.ts';

test('the error says what and where, in one line', () => {
  const error = new JsonError(
    'json/bad-number',
    { pointer: '/a/0', offset: 7, line: 1, column: 8 },
    'expected a digit',
  );
  expect(error).toMatchObject({ name: 'JsonError', code: 'json/bad-number', pointer: '/a/0', offset: 7 });
  expect(error.message).toBe(
    'the number is malformed: expected a digit (line 1, column 8, offset 7) at "/a/0"',
  );
});

test('an error about a value has no offset', () => {
  const cause = new Error('inner');
  const error = new JsonError('json/getter-failed', { pointer: '/x' }, undefined, { cause });
  expect(error).toMatchObject({
    pointer: '/x',
    offset: undefined,
    line: undefined,
    column: undefined,
    cause,
  });
  expect(error.message).toBe('reading the value threw an error at "/x"');
});

test('a long pointer is cut in the message only', () => {
  const pointer = '/level'.repeat(100);
  const error = new JsonError('json/cycle', { pointer });
  expect(error.pointer).toBe(pointer);
  expect(error.message).toBe('the value contains itself at "…/level/level/level/level/level"');
});

test('an error of another copy of the package is recognised', () => {
  const foreign = Object.assign(new Error('x'), { name: 'JsonError', code: 'json/bom' });
  expect(JsonError.is(foreign)).toBe(true);
  expect(JsonError.is(new JsonError('json/bom', {}))).toBe(true);
});

const hostile = new Proxy(new Error('x'), {
  get() {
    throw new Error('no');
  },
});

test.each([
  ['undefined', undefined],
  ['a string', 'json/bom'],
  ['an object', { name: 'JsonError', code: 'json/bom' }],
  ['another error', new SyntaxError('json/bom')],
  ['an unknown code', Object.assign(new Error('x'), { name: 'JsonError', code: 'json/other' })],
  ['an inherited code', Object.assign(new Error('x'), { name: 'JsonError', code: 'toString' })],
  ['no code', Object.assign(new Error('x'), { name: 'JsonError' })],
  ['a proxy that throws', hostile],
])('%s is no JsonError', (_, value) => {
  expect(JsonError.is(value)).toBe(false);
});

test('every code begins with json/ and has its own sentence', () => {
  const sentences = Object.values(JSON_ERROR_CODES);
  expect(Object.keys(JSON_ERROR_CODES).filter((code) => !/^json\/[a-z0-9-]+$/.test(code))).toStrictEqual([]);
  expect(new Set(sentences).size).toBe(sentences.length);
});
