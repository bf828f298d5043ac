import { expect, test } from 'vitest';
import { report } from '../../../../test/support/suites.ts';
import { killWorkers } from '../../test-support/crash-harness.ts';
import { CRASH_TURNS } from '../../test-support/crash-loop.ts';

const RUNS = 60;
const POINTS = 200;

test('after kill -9 at any point, no effect happens twice, no settled step changes, and every run ends', async () => {
  const { kills, seed, points, effects, endings } = await killWorkers('crash-worker', RUNS, POINTS);
  expect(new Set(effects).size).toBe(effects.length);
  let doubtful = 0;
  for (const [id, ending] of endings) {
    const kinds: readonly string[] = JSON.parse(ending);
    expect(kinds).toHaveLength(CRASH_TURNS);
    kinds.forEach((kind, index) => {
      if (kind === 'ok') expect(effects).toContain(`${id}/tool:${index + 1}`);
      else doubtful++;
      expect(['ok', 'in-doubt']).toContain(kind);
    });
  }
  report(
    `kill -9 of workers: ${kills} kills, seed ${seed}, interrupted steps ${JSON.stringify(points)}, in doubt ${doubtful} of ${endings.size * CRASH_TURNS}`,
  );
}, 180_000);
