import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Failure, type FailureConfig } from './failure.ts';
import { textOutput } from './make-output.ts';

const secret = new Error('dsn postgres://app:pw@db');

test('a failure carries kind and public output, and gives its cause to who asks', () => {
  const failure = new Failure({ kind: 'failed', output: 'Two of three files were copied.', cause: secret });
  expect(failure.kind).toBe('failed');
  expect(failure.output.text()).toBe('Two of three files were copied.');
  expect(failure.diagnosis()).toBe(secret);
});

test('the cause is in nothing that is read, logged or encoded', () => {
  const failure = new Failure({ kind: 'failed', output: 'no', cause: secret });
  expect('cause' in failure).toBe(false);
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('postgres');
  expect(JSON.stringify(failure)).not.toContain('postgres');
  expect(String(failure)).not.toContain('postgres');
});

test('a rejection needs no cause and keeps a ready output as it is', () => {
  const output = textOutput('not permitted');
  const failure = new Failure({ kind: 'rejected', output });
  expect(failure.output).toBe(output);
  expect(failure.diagnosis()).toBeUndefined();
});

test.each([
  ['a failed call without a cause', { kind: 'failed', output: 'x' }, 'tool/options-invalid'],
  ['a failed call with a null cause', { kind: 'failed', output: 'x', cause: null }, 'tool/options-invalid'],
  ['another kind', { kind: 'unknown', output: 'x', cause: 1 }, 'tool/options-invalid'],
  ['no kind', { output: 'x', cause: 1 }, 'tool/options-invalid'],
  ['no output', { kind: 'rejected' }, 'tool/output-invalid'],
  ['an output that cannot be sent', { kind: 'rejected', output: 7 }, 'tool/output-invalid'],
])('%s is refused', (_, config, code) => {
  expect(() => new Failure(config as FailureConfig)).toThrow(expect.objectContaining({ code }));
});

test('only a marked error is recognised', () => {
  expect(Failure.is(new Failure({ kind: 'rejected', output: '' }))).toBe(true);
  expect(Failure.is(Object.assign(new Error('x'), { name: 'Failure', kind: 'failed' }))).toBe(false);
  expect(Failure.is(undefined)).toBe(false);
});
