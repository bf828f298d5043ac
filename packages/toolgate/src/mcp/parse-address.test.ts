import { expect, test } from 'vitest';
import { CliError } from '../cli-error.ts';
import { parseAddress } from './parse-address.ts';

test.each([
  ['127.0.0.1:8080', '127.0.0.1', 8080],
  ['localhost:0', 'localhost', 0],
  ['[::1]:65535', '::1', 65_535],
  [':8080', '127.0.0.1', 8080],
  ['8080', '127.0.0.1', 8080],
])('%s is read', (text, host, port) => {
  expect(parseAddress(text)).toEqual({ host, port });
});

test.each([
  '',
  'localhost',
  'localhost:',
  '::1:80',
  'a:b:80',
  '1:65536',
  '1:-1',
  '1:8080 ',
  'a b:80',
  '[x]:80',
])('"%s" is none', (text) => {
  expect(() => parseAddress(text)).toThrow(CliError);
});
