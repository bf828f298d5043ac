import { expect, test } from 'vitest';
import { defineContract } from './define-contract.ts';
import type { InputValidator } from './input-validator.ts';
import { takeInput } from './take-input.ts';

const definition = { name: 'put', description: '', inputSchema: { type: 'object' } };

function admit(validator?: InputValidator) {
  const contract = defineContract(definition, validator === undefined ? {} : { validator });
  const prepared = contract.prepare({ id: 'c', name: 'put', arguments: '{"a":1}' });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return prepared.invocation;
}

test('what the validator made while the call was prepared is used, once', () => {
  let made = 0;
  const validator: InputValidator = () => {
    made += 1;
    return { kind: 'valid', value: [made] };
  };
  const invocation = admit(validator);
  expect(takeInput(invocation, validator)).toEqual([1]);
  expect(takeInput(invocation, validator)).toEqual([2]);
  expect(made).toBe(2);
});

test('what another validator made is not used', () => {
  const invocation = admit(() => ({ kind: 'valid', value: 'of a decorator' }));
  expect(takeInput(invocation, ({ a }) => ({ kind: 'valid', value: a }))).toBe(1);
  expect(takeInput(admit(), ({ a }) => ({ kind: 'valid', value: a }))).toBe(1);
});

test('without a validator the arguments are the input, a new copy each time', () => {
  const invocation = admit();
  const first = takeInput(invocation, undefined);
  expect(first).toEqual({ a: 1 });
  expect(takeInput(invocation, undefined)).not.toBe(first);
});

test('a value of undefined is a value', () => {
  const validator: InputValidator = () => ({ kind: 'valid', value: undefined });
  expect(takeInput(admit(validator), validator)).toBeUndefined();
});

test('a validator that changes what it is given, and says no more than yes, shows policies what the handler gets', () => {
  const validator: InputValidator = (value) => {
    Object.assign(value, { a: 2 });
    return { kind: 'valid' };
  };
  const invocation = admit(validator);
  expect([invocation.arguments(), invocation.argumentsText]).toEqual([{ a: 2 }, '{"a":2}']);
  expect(takeInput(invocation, validator)).toEqual({ a: 2 });
});

test('a validator that changes what it is given, into what is no argument, changes no later copy', () => {
  const validator: InputValidator = (value) => {
    Object.assign(value, { a: new Date(0) });
    return { kind: 'valid' };
  };
  const invocation = admit(validator);
  expect(invocation.arguments()).toEqual({ a: 1 });
  expect(invocation.argumentsText).toBe('{"a":1}');
});

test.each<[string, () => ReturnType<InputValidator>]>([
  ['refuses', () => ({ kind: 'invalid', issues: [] })],
  [
    'throws',
    () => {
      throw new Error('bug');
    },
  ],
])('a validator that accepted and then %s is named, and nothing runs', (_, second) => {
  const answers: (() => ReturnType<InputValidator>)[] = [() => ({ kind: 'valid' }), second];
  const validator: InputValidator = () => answers.shift()?.() ?? { kind: 'valid' };
  const invocation = admit(validator);
  answers.length = 0;
  answers.push(second);
  takeInput(invocation, validator);
  expect(() => takeInput(invocation, validator)).toThrow(
    expect.objectContaining({ code: 'tool/input-unstable' }),
  );
});
