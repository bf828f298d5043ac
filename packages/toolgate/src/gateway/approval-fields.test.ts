import { expect, test } from 'vitest';
import type { Paint } from '../terminal/paint.ts';
import { formatApproval } from './approval-fields.ts';

const paint: Paint = (_tone, text) => text;

test('whoever decides sees the arguments to their end, however long they are', () => {
  const script = Array.from({ length: 20_000 }, (_, index) => `echo ${index}`).join('\n');
  const request = { arguments: { script, then: 'planted at the end' } };
  const shown = formatApproval({ id: 'a', status: 'pending', tool: 'run', request }, paint);
  expect(shown).toContain(JSON.stringify(script));
  expect(shown).toContain('"planted at the end"');
});

test('whoever decides sees which arguments a default has filled in', () => {
  const request = { arguments: { to: 'ana', copy: 'all' }, filled: ['/copy'] };
  expect(formatApproval({ id: 'a', status: 'pending', request }, paint)).toMatch(
    /^by default +\["\/copy"\]$/mu,
  );
  const plain = { arguments: { to: 'ana' } };
  expect(formatApproval({ id: 'a', status: 'pending', request: plain }, paint)).not.toContain('by default');
});
