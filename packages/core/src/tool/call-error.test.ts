import { expect, test } from 'vitest';
import { CallError, type CallErrorConfig } from './call-error.ts';
import { PermanentError } from './permanent-error.ts';

test('evidence is kept beside the visible cause', () => {
  const cause = new Error('socket closed');
  const error = new CallError({ cause, evidence: 'The order was sent.' });
  expect(error.cause).toBe(cause);
  expect(error.evidence.text()).toBe('The order was sent.');
  expect(error.message).not.toContain('socket');
});

test.each([
  ['no cause', { evidence: 'x' }, 'tool/options-invalid'],
  ['no evidence', { cause: new Error('x') }, 'tool/output-invalid'],
  ['evidence that is no output', { cause: new Error('x'), evidence: { a: 1 } }, 'tool/output-invalid'],
])('%s is refused', (_, config, code) => {
  expect(() => new CallError(config as CallErrorConfig)).toThrow(expect.objectContaining({ code }));
});

test('a permanent error needs the cause it passes on', () => {
  const cause = new Error('licence expired');
  expect(new PermanentError(cause).cause).toBe(cause);
  for (const nothing of [undefined, null]) {
    expect(() => new PermanentError(nothing)).toThrow(
      expect.objectContaining({ code: 'tool/options-invalid' }),
    );
  }
});

test('only marked errors are recognised', () => {
  const callError = new CallError({ cause: 1, evidence: '' });
  const permanent = new PermanentError(1);
  expect([CallError.is(callError), CallError.is(permanent), CallError.is(null)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([PermanentError.is(permanent), PermanentError.is(callError), PermanentError.is('x')]).toEqual([
    true,
    false,
    false,
  ]);
});
