import { expect, test } from 'vitest';
import { ControlError, controlErrorCodes } from './control-error.ts';

test('no code is listed twice', () => {
  expect(new Set(controlErrorCodes).size).toBe(controlErrorCodes.length);
});

test('an error of a second copy is known, a look-alike is not', () => {
  const error = new ControlError('control/spec-invalid', 'x', { cause: 7 });
  expect(ControlError.is(error)).toBe(true);
  expect(error.cause).toBe(7);
  const copy = Object.assign(new Error('x'), { name: 'ControlError', code: 'control/meta-invalid' });
  expect(ControlError.is(copy)).toBe(true);
  const throwing = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no');
    },
  });
  const others = [
    null,
    { name: 'ControlError', code: 'control/spec-invalid' },
    Object.assign(new Error('x'), { name: 'ControlError', code: 'control/unknown' }),
    Object.assign(new Error('x'), { name: 'ControlError' }),
    Object.assign(new Error('x'), { code: 'control/spec-invalid' }),
    throwing,
  ];
  expect(others.filter((value) => ControlError.is(value))).toEqual([]);
});
