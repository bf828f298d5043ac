import { expect, test } from 'vitest';
import type { CallRefusalReason } from './call-refusal.ts';
import { defineContract } from './define-contract.ts';
import type { ToolCall } from './tool-call.ts';

const contract = defineContract({
  name: 'pay',
  description: 'Pays an invoice.',
  inputSchema: {
    type: 'object',
    properties: {
      amount: { type: 'integer', minimum: 1 },
      to: { type: 'string' },
      note: { type: 'object', properties: { text: { type: 'string', default: 'none' } }, default: {} },
    },
    required: ['amount', 'to'],
    additionalProperties: false,
  },
});
const empty = defineContract({ name: 'list', description: '', inputSchema: { type: 'object' } });

const call = (text: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  name: 'pay',
  arguments: text,
  ...more,
});

function refusal(proposal: unknown, by = contract) {
  const prepared = by.prepare(proposal as ToolCall);
  if (prepared.ok) throw new Error('was admitted');
  return prepared.error;
}

function admitted(text: string) {
  const prepared = contract.prepare(call(text));
  if (!prepared.ok) throw new Error(prepared.error.text);
  return prepared.invocation;
}

test('a right proposal becomes an invocation', () => {
  const invocation = admitted('{"to":"b","amount":5,"note":{"text":"x"}}');
  expect([invocation.callId, invocation.name]).toEqual(['c1', 'pay']);
  expect(invocation.arguments()).toEqual({ amount: 5, to: 'b', note: { text: 'x' } });
  expect(invocation.filled).toEqual([]);
});

test.each(['', ' ', '\n\t\r ', '{}', ' {} '])('%j means no arguments', (text) => {
  const prepared = empty.prepare({ id: 'c1', name: 'list', arguments: text });
  expect(prepared.ok && prepared.invocation.arguments()).toEqual({});
  expect(prepared.ok && prepared.invocation.argumentsText).toBe('{}');
});

test('blank text is validated as no arguments, so that required members are named', () => {
  const error = refusal(call(''));
  expect(error.reason).toBe('arguments_rejected');
  expect(error.text).toContain('amount');
});

const inputs: readonly (readonly [string, string, CallRefusalReason, RegExp])[] = [
  ['a duplicate member', '{"amount":1,"amount":-1,"to":"b"}', 'arguments_malformed', /offset 12.*amount/],
  ['a duplicate after unescaping', '{"to":"a","\\u0074o":"b","amount":1}', 'arguments_malformed', /offset/],
  ['a nested duplicate', '{"amount":1,"to":"b","note":{"a":1,"a":2}}', 'arguments_malformed', /note/],
  ['a prototype member', '{"amount":1,"to":"b","__proto__":{}}', 'arguments_malformed', /offset/],
  ['a cut-off text', '{"amount":1,"to":"b', 'arguments_malformed', /ends/],
  ['trailing data', '{"amount":1,"to":"b"}{}', 'arguments_malformed', /after/],
  ['a fence of Markdown', '```json\n{"amount":1,"to":"b"}\n```', 'arguments_malformed', /offset 0/],
  ['single quotes', "{'amount':1}", 'arguments_malformed', /offset 1/],
  ['a comment', '{"amount":1 /* one */}', 'arguments_malformed', /offset/],
  ['a trailing comma', '{"amount":1,}', 'arguments_malformed', /offset/],
  ['a byte order mark', '\ufeff{"amount":1}', 'arguments_malformed', /byte order mark/],
  ['a blank of another kind', '\u00a0', 'arguments_malformed', /offset 0/],
  ['a lone surrogate', '{"amount":1,"to":"\\ud800"}', 'arguments_malformed', /surrogate/],
  ['an inexact integer', '{"amount":9007199254740993,"to":"b"}', 'arguments_malformed', /rounded/],
  ['an infinite number', '{"amount":1e999,"to":"b"}', 'arguments_malformed', /finite/],
  ['not a number', '{"amount":NaN,"to":"b"}', 'arguments_malformed', /offset/],
  ['a list', '[1]', 'arguments_not_object', /an array/],
  ['null', 'null', 'arguments_not_object', /null/],
  ['a number', '7', 'arguments_not_object', /a number/],
  ['arguments encoded twice', '"{\\"amount\\":1}"', 'arguments_not_object', /top level was a string/],
  ['a missing member', '{"amount":1}', 'arguments_rejected', /to/],
  ['a member too many', '{"amount":1,"to":"b","admin":true}', 'arguments_rejected', /admin/],
  ['a wrong type', '{"amount":"1","to":"b"}', 'arguments_rejected', /amount.*integer/],
  ['a bound', '{"amount":0,"to":"b"}', 'arguments_rejected', /amount/],
];

test.each(inputs)('%s is refused with the reason and the place', (_, text, reason, expected) => {
  const error = refusal(call(text));
  expect(error.reason).toBe(reason);
  expect(error.text).toMatch(expected);
});

const calls: readonly (readonly [string, unknown, CallRefusalReason])[] = [
  ['another name', call('{}', { name: 'PAY' }), 'tool_unavailable'],
  ['a name with a blank', call('{}', { name: 'pay ' }), 'tool_unavailable'],
  ['a name that is no text', { ...call('{}'), name: ['pay'] }, 'tool_unavailable'],
  ['a blank id', call('{}', { id: ' ' }), 'call_id_invalid'],
  ['no id', { name: 'pay', arguments: '{}' }, 'call_id_invalid'],
  ['a cut-off call', call('{"amount":1,"to":"b"}', { complete: false }), 'call_incomplete'],
  [
    'completeness that is no boolean',
    { ...call('{"amount":1,"to":"b"}'), complete: 'yes' },
    'call_incomplete',
  ],
  [
    'arguments that were parsed already',
    { ...call(''), arguments: { amount: 1, to: 'b' } },
    'arguments_malformed',
  ],
  ['no arguments at all', { id: 'c1', name: 'pay' }, 'arguments_malformed'],
  ['null for arguments', { ...call(''), arguments: null }, 'arguments_malformed'],
  ['text in a box', { ...call(''), arguments: new String('{"amount":1,"to":"b"}') }, 'arguments_malformed'],
  ['nothing', undefined, 'arguments_malformed'],
  ['null', null, 'arguments_malformed'],
  [
    'a call that throws when it is read',
    {
      get id(): never {
        throw new Error('trap');
      },
    },
    'arguments_malformed',
  ],
];

test.each(calls)('%s is refused', (_, proposal, reason) => {
  expect(refusal(proposal).reason).toBe(reason);
});

test('checks come in order: name, id, completeness, text', () => {
  const wrong = { id: '', name: 'x', arguments: 'x', complete: false };
  expect(refusal(wrong).reason).toBe('tool_unavailable');
  expect(refusal({ ...wrong, name: 'pay' }).reason).toBe('call_id_invalid');
  expect(refusal({ ...wrong, name: 'pay', id: 'c' }).reason).toBe('call_incomplete');
  expect(refusal({ ...wrong, name: 'pay', id: 'c', complete: true }).reason).toBe('arguments_malformed');
});

test('bounds of bytes and depth are named, and blank text obeys them', () => {
  const small = defineContract(
    { name: 'list', description: '', inputSchema: { type: 'object' } },
    { maxArgumentBytes: 10, maxArgumentDepth: 2 },
  );
  const of = (text: string) => refusal({ id: 'c', name: 'list', arguments: text }, small);
  expect(of('{"a":"\u00fc\u00fc"}')).toMatchObject({
    reason: 'arguments_too_large',
    text: 'The arguments may have 10 bytes.',
  });
  expect(of(' '.repeat(11))).toMatchObject({ reason: 'arguments_too_large' });
  expect(of('{"a":[[]]}')).toMatchObject({
    reason: 'arguments_too_deep',
    text: 'The arguments may be nested 2 levels deep.',
  });
});

test('a mebibyte and 64 levels are the bounds where none are set', () => {
  const of = (text: string) => empty.prepare({ id: 'c', name: 'list', arguments: text });
  const padded = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect([of(padded(1_048_576)).ok, of(nested(64)).ok]).toEqual([true, true]);
  expect([of(padded(1_048_577)).ok, of(nested(65)).ok, of(nested(100_000)).ok]).toEqual([
    false,
    false,
    false,
  ]);
});

test('defaults are filled in, recorded, and part of what was admitted', () => {
  const invocation = admitted('{"amount":1,"to":"b"}');
  expect(invocation.arguments()).toEqual({ amount: 1, to: 'b', note: { text: 'none' } });
  expect(invocation.filled).toContain('/note');
  expect(Object.isFrozen(invocation.filled)).toBe(true);
});

test('each call records what defaults filled in for it, whatever the one before it had', () => {
  const member = { type: 'integer', default: 1 };
  const inputSchema = { type: 'object', properties: { a: member, b: member } };
  const both = defineContract({ name: 'count', description: '', inputSchema });
  const texts = ['{}', '{"a":2}', '{"b":2}', '{"a":2,"b":2}', '{}', '{}'];
  const filled = texts.map((text) => {
    const prepared = both.prepare({ id: 'c', name: 'count', arguments: text });
    return prepared.ok && prepared.invocation.filled;
  });
  expect(filled).toEqual([['/a', '/b'], ['/b'], ['/a'], [], ['/a', '/b'], ['/a', '/b']]);
  expect(filled.every((list) => Object.isFrozen(list))).toBe(true);
});

test('a short text with names of the schema obeys the bound of bytes', () => {
  const inputSchema = { type: 'object', properties: { note: { type: 'string' } } };
  const small = defineContract({ name: 'note', description: '', inputSchema }, { maxArgumentBytes: 14 });
  const of = (text: string) => small.prepare({ id: 'c', name: 'note', arguments: text });
  expect(of('{"note":"abc"}').ok).toBe(true);
  expect(of('{"note":"abcd"}')).toMatchObject({ ok: false, error: { reason: 'arguments_too_large' } });
});

test('a refusal is frozen data whose diagnosis is not encoded, and it is bounded', () => {
  const long = refusal(call(`{"amount":${'9'.repeat(300)}x`));
  const many = refusal(call(`{${Array.from({ length: 5_000 }, (_, index) => `"m${index}":1`).join()}}`));
  for (const error of [long, many]) {
    expect(Object.isFrozen(error)).toBe(true);
    expect(error.text.length).toBeLessThan(4_096);
    expect(JSON.stringify(error).length).toBeLessThan(16_384);
  }
  expect(long.jsonError).toMatchObject({ offset: expect.any(Number) });
  expect(Object.keys(long)).toEqual(['reason', 'text']);
  expect(many.issues?.length).toBeLessThanOrEqual(20);
});

test('a thousand faults of one kind are a few lines that do not claim to be all', () => {
  const inputSchema = { type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } } };
  const list = defineContract({ name: 'list', description: '', inputSchema });
  const text = JSON.stringify({ items: new Array(1_000).fill(1) });
  const error = refusal({ id: 'c', name: 'list', arguments: text }, list);
  const lines = error.text.split('\n');
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(lines.at(-1)).toMatch(/^\.\.\. and .*more$/);
});
