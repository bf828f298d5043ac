import { describe, expect, it } from 'vitest';
import { refuse } from '../http/refusal.ts';
import { createCallsInFlight } from './calls-in-flight.ts';

function call(name: string, failed: string[], onFail: () => void = () => undefined) {
  return {
    abandon: () => undefined,
    fail: () => {
      failed.push(name);
      onFail();
    },
  };
}

describe('calls in flight', () => {
  it('fails those that have not left, whatever the order in which others left', () => {
    for (const gone of [[], [0], [1], [2], [0, 1], [1, 0], [2, 0], [0, 2, 1]]) {
      const failed: string[] = [];
      const calls = createCallsInFlight();
      const leave = ['a', 'b', 'c'].map((name) => calls.enter(call(name, failed)));
      for (const index of gone) leave[index]?.();
      calls.failAll(refuse('draining'));
      expect(failed.toSorted()).toEqual(['a', 'b', 'c'].filter((_, index) => !gone.includes(index)));
      expect(calls.size).toBe(3 - gone.length);
    }
  });

  it('takes a call out once, also when another one has its place by then', () => {
    const failed: string[] = [];
    const calls = createCallsInFlight();
    const leave = calls.enter(call('a', failed));
    leave();
    calls.enter(call('b', failed));
    leave();
    calls.failAll(refuse('draining'));
    expect(failed).toEqual(['b']);
  });

  it('fails each once when they leave because of that', () => {
    const failed: string[] = [];
    const calls = createCallsInFlight();
    const leaves: (() => void)[] = [];
    for (const name of ['a', 'b', 'c']) {
      leaves.push(calls.enter(call(name, failed, () => leaves[failed.length - 1]?.())));
    }
    calls.failAll(refuse('draining'));
    expect(failed).toEqual(['a', 'b', 'c']);
    expect(calls.size).toBe(0);
  });
});
