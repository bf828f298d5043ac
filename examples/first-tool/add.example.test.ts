import { expect, test } from 'vitest';
import { good, twice } from './add.example.ts';

test('the example of the README adds, and refuses the argument that was written twice', () => {
  expect(good.kind).toBe('completed');
  expect(good.kind === 'completed' && good.output.text()).toBe('5');
  expect(twice).toMatchObject({ kind: 'invalid', reason: 'arguments_malformed' });
});
