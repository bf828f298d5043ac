import { expect, test } from 'vitest';
import { GatewayError } from './gateway-error.ts';

test('an error is known by its name and code, also from another copy', () => {
  const error = new GatewayError('gateway/closed', 'Closed.');
  expect(GatewayError.is(error)).toBe(true);
  const foreign = Object.assign(new Error('Closed.'), { name: 'GatewayError', code: 'gateway/closed' });
  expect(GatewayError.is(foreign)).toBe(true);
  for (const other of [
    undefined,
    {},
    new Error('gateway/closed'),
    Object.assign(new Error(''), { name: 'GatewayError', code: 'gateway/other' }),
    { name: 'GatewayError', code: 'gateway/closed' },
  ])
    expect(GatewayError.is(other)).toBe(false);
});
