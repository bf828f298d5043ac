import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const clock = createFakeClock({ now: Date.UTC(2026, 0, 2) });

test('a line is one JSON object, whatever is in it', () => {
  const lines: string[] = [];
  createLog({ sink: (line) => lines.push(line), clock }).write('warn', 'config-refuse', {
    file: 'a\nb\u2028"c"',
    line: 3,
    absent: undefined,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  expect(lines[0]?.slice(0, -1)).not.toContain('\n');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: '2026-01-02T00:00:00.000Z',
    level: 'warn',
    event: 'config-refuse',
    file: 'a\nb\u2028"c"',
    line: 3,
  });
});

test('a secret is in no line, also one that JSON spells differently, and one that came with a reload', () => {
  const lines: string[] = [];
  let secrets: readonly string[] = ['sk-planted-1', 'quo"ted\\secret', 'abc'];
  const log = createLog({ sink: (line) => lines.push(line), clock, secrets: () => secrets });
  log.write('error', 'upstream', {
    text: 'key sk-planted-1 and quo"ted\\secret',
    header: 'Bearer abcdef123456789',
  });
  secrets = ['sk-planted-2'];
  log.write('error', 'upstream', { text: 'sk-planted-2' });
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  const all = lines.join('');
  for (const planted of ['sk-planted', 'quo', 'abcdef123456789']) expect(all).not.toContain(planted);
});

test('a sink that throws, and a value that has no JSON form, end nothing', () => {
  const log = createLog({
    sink: () => {
      throw new Error('disk full');
    },
    clock,
  });
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(log.write('info', 'x')).toBeUndefined();
  expect(log.write('info', 'x', cycle as never)).toBeUndefined();
});
