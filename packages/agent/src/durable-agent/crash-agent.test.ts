import { expect, test } from 'vitest';
import { report } from '../../../../test/support/suites.ts';
import { killWorkers } from '../../test-support/crash-harness.ts';

const RUNS = 60;
const POINTS = 200;

interface Outcome {
  readonly reason: string;
  readonly parts: readonly { readonly text?: string }[];
}

test('an agent that is killed -9 at any point does no effect twice, loses no result, and ends every run', async () => {
  const { kills, seed, points, effects, endings } = await killWorkers('crash-agent-worker', RUNS, POINTS);
  expect(new Set(effects).size).toBe(effects.length);
  let doubtful = 0;
  for (const [id, ending] of endings) {
    const { stopReason, outcomes } = JSON.parse(ending) as {
      readonly stopReason: string;
      readonly outcomes: readonly Outcome[];
    };
    expect(stopReason, id).toBe('answer');
    expect(outcomes).toHaveLength(4);
    for (const { reason, parts } of outcomes) {
      expect(['completed', 'interrupted']).toContain(reason);
      if (reason === 'completed') expect(effects).toContain(parts[0]?.text);
      else doubtful++;
    }
  }
  report(
    `kill -9 of agents: ${kills} kills, seed ${seed}, interrupted steps ${JSON.stringify(points)}, unknown ${doubtful} of ${endings.size * 4}`,
  );
}, 240_000);
