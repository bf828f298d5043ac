import { expect, test } from 'vitest';
import { canonicalJson } from '../json/canonical-json.ts';
import { digest } from '../json/digest.ts';
import { defineContract } from './define-contract.ts';
import { Invocation, invocationSource } from './invocation.ts';

function admit(text: string): Invocation {
  const inputSchema = {
    type: 'object',
    properties: { a: { type: 'array' }, b: { type: 'object', default: { c: 1 } } },
  };
  const contract = defineContract({ name: 'put', description: '', inputSchema });
  const prepared = contract.prepare({ id: 'c1', name: 'put', arguments: text });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return prepared.invocation;
}

test('each copy of the arguments is a new one that its owner may change', () => {
  const invocation = admit('{"a":[1]}');
  const first = invocation.arguments() as { a: number[]; b: object };
  first.a.push(2);
  Object.assign(first.b, { c: 2 });
  const second = invocation.arguments();
  expect(second).toEqual({ a: [1], b: { c: 1 } });
  expect(second).not.toBe(invocation.arguments());
});

test('text and digest are canonical, have the defaults, and are not moved by a copy that was changed', () => {
  const admitted = { a: [1], b: { c: 1 } };
  const early = admit(' {"a" : [1.0]} ');
  expect([early.argumentsText, early.digest]).toEqual([canonicalJson(admitted), digest(admitted)]);
  const late = admit('{"a":[1]}');
  Object.assign(late.arguments(), { a: 'changed' });
  expect([late.argumentsText, late.digest]).toEqual([early.argumentsText, early.digest]);
});

test('reading the text takes nothing from the copies', () => {
  const invocation = admit('{"a":[1]}');
  const text = invocation.argumentsText;
  expect(JSON.parse(text)).toEqual(invocation.arguments());
  expect(invocation.argumentsText).toBe(text);
});

test('nobody else can make an invocation', () => {
  expect(() => Reflect.construct(Invocation, [])).toThrow(TypeError);
  const copy = Object.assign(Object.create(Invocation.prototype), admit('{}'));
  expect(() => copy.arguments()).toThrow(TypeError);
  const proxy = new Proxy(admit('{}'), {});
  for (const value of [copy, proxy, {}, null, undefined, 'x', Invocation])
    expect(invocationSource(value)).toBeUndefined();
});

test('an invocation cannot be changed', () => {
  const invocation = admit('{}');
  expect(() => Object.assign(invocation, { arguments: () => ({}) })).toThrow(TypeError);
  expect(() => Object.assign(invocation, { callId: 'other' })).toThrow(TypeError);
  expect(Reflect.ownKeys(invocation)).toEqual([]);
});

test('an invocation shows no arguments when it is logged or encoded', () => {
  expect(JSON.stringify(admit('{"a":["secret"]}'))).toBe('{}');
});
