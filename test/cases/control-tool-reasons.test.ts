import { CAPTURE_REASONS, INELIGIBILITIES, TERMINAL_REASONS } from '@toolgate/control';
import { expect, test } from 'vitest';
import { readRepositoryFile, tableRows } from './cited-tests.ts';

const words = tableRows(readRepositoryFile('docs/control-tools.md') ?? '').flatMap(([first = '']) => {
  const [, word] = /^`([a-z_]+)`$/.exec(first) ?? [];
  return word === undefined ? [] : [word];
});

test('every reason of a control tool has one row, in the order in which they are looked at', () => {
  expect(words).toEqual([
    ...INELIGIBILITIES,
    ...CAPTURE_REASONS,
    'ordinary_calls_pending',
    'turn_unfinished',
    'too_many_calls',
    'handler_error',
    'handler_timeout',
    'outcome_invalid',
    ...TERMINAL_REASONS,
  ]);
});
