import { expect, test } from 'vitest';
import { isOutage, storageFault } from './storage-fault.ts';

const coded = (code: string): Error => Object.assign(new Error('planted-secret'), { code });

test.each([
  ['EACCES', 'Storage failed: this user may not use the file, or may not write into its folder (EACCES).'],
  ['SQLITE_FULL', 'Storage failed: the disk is full (SQLITE_FULL).'],
  ['SQLITE_IOERR_WRITE', 'Storage failed: the disk fails, or is full (SQLITE_IOERR_WRITE).'],
  ['SQLITE_READONLY_DBMOVED', 'Storage failed: the file cannot be written (SQLITE_READONLY_DBMOVED).'],
  ['28P01', 'Storage failed: the server does not take the password (28P01).'],
  ['EAI_AGAIN', 'Storage failed: the name of its host cannot be looked up now (EAI_AGAIN).'],
  ['57P03', 'Storage failed: the server is starting or being stopped (57P03).'],
  ['42P01', 'Storage failed (42P01).'],
  ['constructor', 'Storage failed.'],
  ['__proto__', 'Storage failed.'],
])('a fault %s is told in words, and never in those of the driver', (code, message) => {
  expect(storageFault(coded(code))).toMatchObject({ code: 'gateway/storage-unavailable', message });
});

test('an error of our own stays as it is', () => {
  const own = coded('gateway/closed');
  expect(storageFault(own)).toBe(own);
});

test.each([
  ['ECONNREFUSED', true],
  ['57014', true],
  ['SQLITE_FULL', true],
  ['', true],
  ['22021', false],
  ['SQLITE_CONSTRAINT_NOTNULL', false],
  ['gateway/closed', false],
])('a fault %s says nothing against what was to be written: %s', (code, expected) => {
  expect(isOutage(storageFault(coded(code)))).toBe(expected);
});
