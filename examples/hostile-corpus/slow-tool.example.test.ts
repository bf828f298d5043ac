import { expect, test } from 'vitest';
import { outcome } from './slow-tool.example.ts';

test('half a minute passes at once, and nobody knows what the deaf tool did', () => {
  expect(outcome).toMatchObject({ kind: 'unknown', reason: 'deadline_exceeded' });
});
