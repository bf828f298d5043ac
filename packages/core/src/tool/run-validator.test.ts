import { expect, test } from 'vitest';
import type { InputValidator } from './input-validator.ts';
import { runValidator } from './run-validator.ts';

/** Validators come from applications without types, too. */
const run = (validator: () => unknown) => runValidator(validator as InputValidator, { a: 1 });

test('a yes gives the typed value, or the arguments where the validator makes none', () => {
  expect(runValidator(() => ({ kind: 'valid', value: 7 }), {})).toEqual({ kind: 'valid', value: 7 });
  expect(runValidator(() => ({ kind: 'valid', value: undefined }), {})).toEqual({
    kind: 'valid',
    value: undefined,
  });
  const value = { a: 1 };
  expect(runValidator(() => ({ kind: 'valid' }), value)).toEqual({ kind: 'valid', value });
});

test('a no gives complete issues, with the root where no place is named', () => {
  const verdict = {
    kind: 'invalid',
    issues: [{ message: 'Give a later date.' }, { pointer: '/to', message: 'x' }],
  };
  expect(run(() => verdict)).toEqual({
    kind: 'invalid',
    issues: [
      { pointer: '', keyword: 'validator', expected: '', actual: '', message: 'Give a later date.' },
      { pointer: '/to', keyword: 'validator', expected: '', actual: '', message: 'x' },
    ],
  });
});

test.each([
  ['no list', undefined],
  ['an empty list', []],
  ['a text', 'everything is wrong'],
  ['nonsense in the list', [null]],
  ['a message that is no text', [{ message: 7 }]],
])('a no with %s stays a no', (_, issues) => {
  expect(run(() => ({ kind: 'invalid', issues }))).toMatchObject({
    kind: 'invalid',
    issues: [{ pointer: '', message: 'The value is not accepted.' }],
  });
});

test('issues are bounded in number and in length', () => {
  const issues = Array.from({ length: 5_000 }, () => ({
    message: 'm'.repeat(10_000),
    pointer: '/p'.repeat(10_000),
  }));
  const verdict = run(() => ({ kind: 'invalid', issues }));
  expect(verdict.kind).toBe('invalid');
  expect(JSON.stringify(verdict).length).toBeLessThan(20_000);
});

test('a message that was cut inside a surrogate pair is still well-formed', () => {
  const message = `${'x'.repeat(299)}\u{1f600}`;
  const verdict = run(() => ({ kind: 'invalid', issues: [{ message }] }));
  expect(JSON.stringify(verdict)).not.toMatch(/\\ud83d/);
});

test('a throw is a defect that keeps what was thrown, whatever it is', () => {
  for (const thrown of [new Error('x'), undefined, null, 'text', 0]) {
    const verdict = run(() => {
      throw thrown;
    });
    expect(verdict).toEqual({ kind: 'defect', cause: thrown });
  }
});

const noVerdicts: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['true', () => true],
  ['a text', () => 'valid'],
  ['an empty object', () => ({})],
  ['another kind', () => ({ kind: 'ok' })],
  ['a kind that prints as valid', () => ({ kind: { toString: () => 'valid' } })],
  ['the old form', () => ({ ok: true })],
  ['a promise of a yes', () => Promise.resolve({ kind: 'valid' })],
  ['a promise that is rejected', () => Promise.reject(new Error('later'))],
  ['a thenable', () => ({ then: () => undefined })],
  ['the word of a library that cannot answer', () => ({ kind: 'asynchronous' })],
  [
    'a kind that throws when it is read',
    () => ({
      get kind(): never {
        throw new Error('x');
      },
    }),
  ],
  [
    'issues that throw when they are read',
    () => ({
      kind: 'invalid',
      issues: [
        {
          get message(): never {
            throw new Error('x');
          },
        },
      ],
    }),
  ],
];

test.each(noVerdicts)('%s is a defect, never a pass', (_, validator) => {
  expect(run(validator).kind).toBe('defect');
});
