import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { counting, good, runOn } from '../test-support/counting-run.ts';
import { type RawTurn, rawModel, start } from '../test-support/raw-model.ts';
import { createAgent } from './create-agent.ts';

describe('an answer without end is bounded', () => {
  test.each([
    ['empty texts', { kind: 'text-delta', index: 0, text: '' }],
    ['warnings', { kind: 'warning', code: 'x', detail: 'y' }],
    [
      'counts',
      {
        kind: 'usage',
        usage: { inputTotal: 1, cacheRead: null, cacheWrite: null, outputTotal: 1, reasoning: null },
      },
    ],
    ['long texts', { kind: 'text-delta', index: 0, text: 'x'.repeat(1_000) }],
  ])('%s', async (_, event) => {
    let given = 0;
    let released = false;
    const turn = async function* () {
      try {
        yield start;
        yield { kind: 'text-start', index: 0 };
        for (;;) {
          given++;
          yield event;
        }
      } finally {
        released = true;
      }
    };
    const { result } = await runOn([turn], { limits: { maxAnswerBytes: 50_000 } });
    expect(result).toMatchObject({ stopReason: 'model_error', error: { code: 'agent/answer-too-large' } });
    expect(given).toBeLessThan(4_000);
    expect(released).toBe(true);
    expect(result.warnings.length).toBeLessThanOrEqual(100);
  });
});

describe('a model that is silent', () => {
  const silences: readonly (readonly [string, RawTurn])[] = [
    [
      'from the start',
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
    ],
    [
      'in the middle',
      async function* () {
        yield* [start, ...good];
        await new Promise(() => undefined);
      },
    ],
    [
      'and never ends its clean-up',
      async function* () {
        try {
          yield* [start, ...good];
          await new Promise(() => undefined);
        } finally {
          await new Promise(() => undefined);
        }
      },
    ],
    [
      'and whose clean-up throws',
      () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => undefined),
          return: () => {
            throw new Error('clean-up');
          },
        }),
      }),
    ],
  ];

  test.each(silences)('%s: the time limit ends the run', async (_, turn) => {
    const clock = createFakeClock();
    const { ran, gate } = counting();
    const model = rawModel(turn);
    const run = createAgent({ model, gate, clock, limits: { maxDurationMs: 30_000 } }).run('go');
    await clock.advance(0);
    await clock.advance(29_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    const result = await run;
    expect(result).toMatchObject({ stopReason: 'time_limit', error: { code: 'agent/time-limit' } });
    expect(ran).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test.each(silences)('%s: the caller can cancel', async (_, turn) => {
    const controller = new AbortController();
    const { gate } = counting();
    const events = createAgent({ model: rawModel(turn), gate }).stream('go', {
      context: undefined,
      signal: controller.signal,
    });
    const kinds: string[] = [];
    for await (const event of events) {
      kinds.push(event.kind);
      if (event.kind === 'turn-start') setImmediate(() => controller.abort());
      if (event.kind === 'run-end') expect(event.result.stopReason).toBe('cancelled');
    }
    expect(kinds.filter((kind) => kind === 'run-end')).toHaveLength(1);
  });

  test('gets the signal, which is aborted with the limit', async () => {
    const clock = createFakeClock();
    const signals: AbortSignal[] = [];
    const model = rawModel((_call, { signal }) => {
      signals.push(signal);
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    });
    const run = createAgent({ model, gate: counting().gate, clock, limits: { maxDurationMs: 5 } }).run('go');
    await clock.advance(0);
    await clock.advance(5);
    await run;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
