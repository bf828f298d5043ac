import type { ApprovalRequest, JsonObject } from '@toolgate/core';
import { expect, test } from 'vitest';
import { approvalForm } from './approval-form.ts';

const asked = (args: JsonObject): string =>
  approvalForm({ tool: 'send', class: 'external', arguments: args } as ApprovalRequest).message;

test.each<[string, JsonObject, string]>([
  [
    'plain arguments',
    { to: 'ana', text: 'Hi there,\nhow are you? Größe: 日本語' },
    '{"text":"Hi there,\\nhow are you? Größe: 日本語","to":"ana"}',
  ],
  ['a turn of direction', { to: 'a\u202egnp.exe' }, '{"to":"a\\u202egnp.exe"}'],
  ['characters that are drawn as nothing', { 'to\u200b': 'a\u{e0041}' }, '{"to\\u200b":"a\\udb40\\udc41"}'],
  ['blanks of other kinds', { to: 'a\u00a0b\u3000' }, '{"to":"a\\u00a0b\\u3000"}'],
  [
    'blanks that push the rest away',
    { text: `a${' '.repeat(900)}`, to: 'eve' },
    '{"text":"a(900 blanks)","to":"eve"}',
  ],
])('a person who is asked sees %s', (_what, args, shown) => {
  expect(asked(args)).toBe(`Run send (external) with ${shown}?`);
});

test('what is too long to be shown is said to be there', () => {
  expect(asked({ text: 'a'.repeat(5_000) })).toMatch(
    /^Run send \(external\) with \{"text":"a+ … \(3011 more characters\)\?$/,
  );
});
