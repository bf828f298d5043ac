import type { ModelEvent, ModelResponse } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callOf, TOOLS } from '../../test-support/calls.ts';
import { COMPLETION, completed, leg } from '../../test-support/legs.ts';
import { project } from '../projection/project.ts';
import type { CheckedControlProvider } from '../provider/control-tool-provider.ts';
import { ControlAttempt } from './control-attempt.ts';

/** An attempt that was fed a whole answer, and how often its handler was asked. */
const attemptAt = (finish: ModelResponse['finish'], ...blocks: Parameters<typeof leg>[1][]) => {
  let asked = 0;
  const provider: CheckedControlProvider = {
    ...COMPLETION,
    handle: (...given) => {
      asked += 1;
      return COMPLETION.handle(...given);
    },
  };
  const { projection } = project(callOf(), provider.spec, TOOLS);
  const attempt = new ControlAttempt({ projection, provider, meta: { attemptSeq: 0 } });
  const shown = leg(finish, ...blocks).flatMap((event) => attempt.push(event as ModelEvent) ?? []);
  return { attempt, shown, asked: () => asked };
};

describe('an attempt', () => {
  test('keeps its end back, and the first end counts', () => {
    const { attempt, shown } = attemptAt('stop');
    attempt.push({ kind: 'response-error', code: 'x', message: 'y' });
    expect(shown.map(({ kind }) => kind)).toEqual(['response-start']);
    expect(attempt.terminal).toEqual({ kind: 'response-end', finish: 'stop' });
  });

  test('asks its handler once, however often it is asked itself', async () => {
    const { attempt, asked } = attemptAt('tool-calls', completed(0, 'Done.'));
    const [first, second] = await Promise.all([attempt.settle(), attempt.settle()]);
    expect(first).toBe(second);
    expect(first).toMatchObject({ kind: 'valid', resultText: 'Done.', reasonCode: 'completion_complete' });
    expect(asked()).toBe(1);
  });

  test.each(['length', 'content-filter', 'refusal', 'paused', 'error', 'unknown'] as const)(
    'does not ask its handler about a turn that ended with %s',
    async (finish) => {
      const { attempt, asked } = attemptAt(finish, completed(0, 'Done.'));
      expect(await attempt.settle()).toMatchObject({ kind: 'refused', reason: 'turn_unfinished' });
      expect(asked()).toBe(0);
    },
  );

  test('that was released says nothing, and asks nobody', async () => {
    const { attempt, asked } = attemptAt('tool-calls', completed(0, 'Done.'));
    attempt.release();
    expect(await attempt.settle()).toMatchObject({ kind: 'dropped', facts: { cause: 'cancelled' } });
    expect(asked()).toBe(0);
  });

  test('says what it saw: text, calls of other tools, why it ended, whether anything went out', async () => {
    const { attempt } = attemptAt('stop', [
      { kind: 'text-start', index: 0 },
      { kind: 'text-delta', index: 0, text: 'Hi' },
      { kind: 'text-end', index: 0 },
    ]);
    expect(attempt.replay).toBe('Hi');
    expect((await attempt.settle()).facts).toEqual({
      text: 'Hi',
      actions: [],
      cause: 'stop',
      outputCommitted: true,
    });
  });
});
