import { describe, expect, test } from 'vitest';
import type { TextSink } from './cli-io.ts';
import { createPaint } from './paint.ts';

const sink = (isTerminal: boolean): TextSink => ({
  isTerminal,
  columns: isTerminal ? 80 : undefined,
  write: async () => undefined,
});

describe('colours', () => {
  test('are there on a terminal', () => {
    expect(createPaint(sink(true), {})('bad', 'x')).toBe('\u001b[31mx\u001b[39m');
  });

  test.each([
    ['without a terminal', false, {}],
    ['with NO_COLOR', true, { NO_COLOR: '1' }],
    ['with NO_COLOR=0, which also counts', true, { NO_COLOR: '0' }],
    ['on a dumb terminal', true, { TERM: 'dumb' }],
  ])('are not there %s', (_what, isTerminal, env) => {
    expect(createPaint(sink(isTerminal), env)('bad', 'x')).toBe('x');
  });

  test('an empty NO_COLOR says nothing', () => {
    expect(createPaint(sink(true), { NO_COLOR: '' })('good', 'x')).not.toBe('x');
  });
});
