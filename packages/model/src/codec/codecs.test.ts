import { expect, test } from 'vitest';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from './codecs.ts';

test.each(PROTOCOLS)('the codec of %s is its own and cannot be changed', (protocol) => {
  expect(codecOf(protocol).protocol).toBe(protocol);
  expect(Object.isFrozen(codecOf(protocol))).toBe(true);
});
