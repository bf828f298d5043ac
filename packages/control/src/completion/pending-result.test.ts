import { describe, expect, test } from 'vitest';
import { PendingResult } from './pending-result.ts';

const attempt = { bLegId: 'b1', attemptSeq: 1 };
const nothing = { started: false, nextIndex: 0 };
const text = (result: readonly unknown[]): unknown =>
  result.find((event) => Object.hasOwn(event as object, 'text'));

describe('a pending result', () => {
  test('is reserved, staged, activated and drained, once', () => {
    const result = new PendingResult(' done \n', attempt);
    expect(result.state).toBe('reserved');
    expect(result.stage()).toBe(true);
    expect(result.activate()).toBe(true);
    expect(result.drain(attempt, nothing)).toEqual([
      { kind: 'response-start', id: null, model: null },
      { kind: 'text-start', index: 0 },
      { kind: 'text-delta', index: 0, text: 'done' },
      { kind: 'text-end', index: 0 },
    ]);
    expect(result.state).toBe('drained');
    expect(result.drain(attempt, nothing)).toEqual([]);
  });

  test('adds only the events that are missing', () => {
    const result = new PendingResult('done', attempt);
    result.stage();
    result.activate();
    expect(result.drain(attempt, { started: true, nextIndex: 7 }).map(({ kind }) => kind)).toEqual([
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });

  test('goes through its hook once, which may change it or keep it back', () => {
    const changed = new PendingResult('done', attempt);
    changed.stage((given) => `${given}!`);
    expect(changed.stage((given) => `${given}?`)).toBe(false);
    expect(changed.state).toBe('withdrawn');
    const kept = new PendingResult('done', attempt);
    kept.stage((given) => `${given}!`);
    kept.activate();
    expect(text(kept.drain(attempt, nothing))).toMatchObject({ text: 'done!' });
    for (const hook of [() => undefined, () => ' ']) {
      const back = new PendingResult('done', attempt);
      expect(back.stage(hook)).toBe(false);
      expect(back.activate()).toBe(false);
      expect(back.drain(attempt, nothing)).toEqual([]);
    }
  });

  test('is withdrawn by a hook that throws', () => {
    const result = new PendingResult('done', attempt);
    expect(() =>
      result.stage(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(result.state).toBe('withdrawn');
  });

  test('skips no step', () => {
    const unstaged = new PendingResult('done', attempt);
    expect(unstaged.activate()).toBe(false);
    const inactive = new PendingResult('done', attempt);
    inactive.stage();
    expect(inactive.drain(attempt, nothing)).toEqual([]);
    expect([unstaged.state, inactive.state]).toEqual(['withdrawn', 'withdrawn']);
  });

  test('is given to no other attempt', () => {
    for (const other of [
      { ...attempt, attemptSeq: 2 },
      { ...attempt, bLegId: 'b2' },
    ]) {
      const result = new PendingResult('done', attempt);
      result.stage();
      result.activate();
      expect(result.drain(other, nothing)).toEqual([]);
      expect(result.drain(attempt, nothing)).toHaveLength(4);
    }
  });

  test('that was withdrawn publishes nothing, one that is drained stays so', () => {
    const result = new PendingResult('done', attempt);
    result.stage();
    result.activate();
    result.withdraw();
    expect(result.drain(attempt, nothing)).toEqual([]);
    const drained = new PendingResult('done', attempt);
    drained.stage();
    drained.activate();
    drained.drain(attempt, nothing);
    drained.withdraw();
    expect(drained.state).toBe('drained');
  });

  test('of nothing is none', () => {
    expect(new PendingResult(' ', attempt).state).toBe('withdrawn');
  });
});
