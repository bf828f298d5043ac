import { createHash } from 'node:crypto';
import { canonicalJson, JsonError, type JsonObject, readJson } from '@toolgate/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditKinds } from '../ports/audit-log.ts';
import { canonicalData, checkEntry } from './audit-entry.ts';
import { EMPTY_HEAD, isSealed, readRecord, sealRecord, writeRecord } from './audit-record.ts';

/** As an answer of a provider is read. */
const READING = { forbiddenMembers: 'allow', noncharacters: 'allow' } as const;

const name = fc.oneof(fc.constantFrom('a', 'b', 'c', 'aa', '10', '9', '-', '__proto__'), fc.string());
const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
const data = fc
  .oneof(fc.dictionary(name, fc.oneof(text, fc.double(), fc.boolean())), fc.dictionary(name, fc.jsonValue()))
  .map((value) => readJson(JSON.stringify(value), READING) as JsonObject);
const entry = fc.record({
  kind: fc.constantFrom(...auditKinds),
  actor: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  data,
});

test('the text of data is its canonical JSON, whether it was sorted before or not', () => {
  fc.assert(
    fc.property(data, (value) => {
      const sorted = JSON.parse(canonicalJson(value)) as JsonObject;
      expect(canonicalData(value)).toBe(canonicalJson(value));
      expect(canonicalData(sorted)).toBe(canonicalJson(value));
    }),
    { numRuns: 1_000 },
  );
});

test.each<[string, unknown]>([
  ['a number that is none', { a: Number.NaN }],
  ['half a surrogate pair', { a: '\ud800' }],
  ['half a surrogate pair in a name', { '\ud800': 1 }],
  ['a function', { a: () => undefined }],
])('data with %s has no text', (_what, value) => {
  expect(() => canonicalData(value as JsonObject)).toThrow(JsonError);
});

test('the digest of a record is the SHA-256 of the canonical JSON of its other members', () => {
  fc.assert(
    fc.property(entry, fc.nat(), fc.maxSafeNat(), (given, seq, at) => {
      const head = { seq, digest: EMPTY_HEAD.digest };
      const { digest, ...others } = sealRecord(given, at, head);
      const text = canonicalJson({ ...others });
      expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
      expect(isSealed({ ...others, digest })).toBe(true);
      expect(isSealed({ ...others, digest, at: at + 1 })).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a record that was sealed with the text of its entry is the one sealed without, and is read back', () => {
  fc.assert(
    fc.property(entry, (given) => {
      fc.pre(!/\p{Cc}/u.test(given.actor));
      const checked = checkEntry(given);
      const record = sealRecord(checked, 5, EMPTY_HEAD, checked.text);
      expect(record).toEqual(sealRecord(given, 5, EMPTY_HEAD));
      expect(Object.keys(record).sort()).toEqual([
        'actor',
        'at',
        'data',
        'digest',
        'kind',
        'previous',
        'seq',
      ]);
      expect(readRecord(writeRecord(record))).toEqual(record);
    }),
  );
});

test.each<[string, JsonObject]>([
  ['a noncharacter', { callId: '\uffff', tool: '\u{1fffe}' }],
  ['a NUL', { callId: '\0' }],
  ['the name of a prototype', JSON.parse('{"__proto__":{"constructor":1}}') as JsonObject],
  ['as many levels as there may be', JSON.parse(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`) as JsonObject],
])('data with %s can be read again', (_what, value) => {
  const { text, ...given } = checkEntry({ kind: 'call-allow', actor: 'ana', data: value });
  const record = sealRecord(given, 5, EMPTY_HEAD, text);
  expect(readRecord(writeRecord(record))).toEqual(record);
});

test('nothing is sealed for an actor that has no text', () => {
  const actor = 'a\ud800';
  expect(() => sealRecord({ kind: 'call-allow', actor, data: {} }, 1, EMPTY_HEAD)).toThrow(JsonError);
  expect(() => checkEntry({ kind: 'call-allow', actor, data: {} })).toThrow(
    expect.objectContaining({ code: 'gateway/entry-invalid' }),
  );
});
