import { describe, expect, test } from 'vitest';
import type { TextSink } from './cli-io.ts';
import { createProgressBar } from './progress-bar.ts';

function bar({ isTerminal = true, total }: { isTerminal?: boolean; total?: number | undefined }) {
  const written: string[] = [];
  const clock = { now: 0 };
  const stderr: TextSink = {
    isTerminal,
    columns: isTerminal ? 80 : undefined,
    write: async (text) => {
      written.push(text);
    },
  };
  return { written, clock, bar: createProgressBar({ stderr, now: () => clock.now }, total) };
}

describe('a progress bar', () => {
  test('writes nothing where no person looks', async () => {
    const { written, bar: shown } = bar({ isTerminal: false, total: 10 });
    await shown.update(5, 'five');
    await shown.clear();
    expect(written).toEqual([]);
  });

  test('is drawn at most ten times a second', async () => {
    const { written, clock, bar: shown } = bar({ total: 100 });
    for (clock.now = 1_000; clock.now < 2_000; clock.now += 1) await shown.update(50, 'half');
    expect(written).toHaveLength(10);
    expect(written[0]).toContain('[============            ]  50% half');
  });

  test('shows only what was done where nobody knows the end, and no more than all', async () => {
    const unknown = bar({});
    await unknown.bar.update(5, '5 cases');
    expect(unknown.written.join('')).toBe('\r\u001b[2K5 cases');
    const grown = bar({ total: 10 });
    await grown.bar.update(500, 'more');
    expect(grown.written.join('')).toContain('100%');
  });

  test('is taken away once, and drawn again at the next update', async () => {
    const { written, bar: shown } = bar({ total: 10 });
    await shown.clear();
    await shown.update(1, 'a');
    await shown.clear();
    await shown.clear();
    await shown.update(2, 'b');
    expect(written).toHaveLength(3);
    expect(written[1]).toBe('\r\u001b[2K');
  });
});
