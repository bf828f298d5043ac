import { describe, expect, test } from 'vitest';
import { lookAlikes } from './look-alike.ts';

const pair = (first: string, second: string, servers: readonly [string, string] = ['a', 'b']) =>
  lookAlikes([
    { server: servers[0], tool: first },
    { server: servers[1], tool: second },
  ]).map(({ kind }) => kind);

describe('tools of two servers', () => {
  test.each([
    ['read_file', 'read_file', 'same'],
    ['read_file', 'Read-File', 'confusable'],
    ['read_file', 'readFile', 'confusable'],
    ['read_file', 'reаd_file', 'confusable'],
    ['send_email', 'send_emai1', 'confusable'],
    ['send_email', 'ｓend_email', 'confusable'],
    ['read_file', 'read_files', 'near'],
    ['read_file', 'raed_file', 'near'],
    ['read_file', 'reed_file', 'near'],
  ])('named %j and %j are found: %s', (first, second, kind) => {
    expect(pair(first, second)).toEqual([kind]);
  });

  test.each([
    ['read_file', 'write_file'],
    ['get', 'set'],
    ['add', 'ads'],
    ['create_issue', 'create_branch'],
  ])('named %j and %j are not', (first, second) => {
    expect(pair(first, second)).toEqual([]);
  });
});

test('tools of one server are found only where they look the same', () => {
  expect(pair('read_file', 'read_files', ['a', 'a'])).toEqual([]);
  expect(pair('read_file', 'reаd_file', ['a', 'a'])).toEqual(['confusable']);
});

test('many tools that all look alike are found in bounded number and time', () => {
  const tools = Array.from({ length: 20_000 }, (_, index) => ({ server: `s${index}`, tool: 'read_file' }));
  expect(lookAlikes(tools)).toHaveLength(100);
  const distinct = Array.from({ length: 5_000 }, (_, index) => ({
    server: `s${index % 2}`,
    tool: `tool_number_${index * 7_919}`,
  }));
  expect(lookAlikes(distinct).length).toBeLessThanOrEqual(100);
});
