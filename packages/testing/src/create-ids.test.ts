import { expect, test } from 'vitest';
import { createIds } from './create-ids.ts';

test('ids count from 1 under their prefix, each source for itself', () => {
  const calls = createIds('call');
  const plain = createIds();
  expect([calls(), calls(), plain(), calls()]).toEqual(['call-1', 'call-2', 'id-1', 'call-3']);
});
