import { createFakeClock, type FakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import type { EngineConfig } from '../src/durable/journal-host.ts';
import type { DurableHost, DurableRun, Handlers, Loop, RunStatus, StepEffect } from '../src/durable/port.ts';

/** Hosts that work on the same runs, as separate workers do. */
export interface EngineUnderTest {
  /** Another worker on the same journal; each call is a new one. */
  readonly worker: (config: EngineConfig) => DurableHost;
}

const DAY_MS = 86_400_000;

/** What every engine of durable runs has to do. `open` gives a fresh journal for each test. */
export function testDurableEngine(name: string, open: () => EngineUnderTest): void {
  const settings = (clock: FakeClock, loop: Loop, handlers: Handlers = {}): EngineConfig => ({
    loops: [loop],
    handlers,
    clock,
    leaseMs: 1_000,
    pollMs: 100,
  });

  test(`${name}: a run executes its steps in order and gives the result of its loop`, async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const loop = loopOf(async (run, input) => {
      const first = await run.call(step('a', 'repeatable'));
      const rest = await run.all([step('b', 'once'), step('c', 'once')]);
      return [input, resultOf(first), ...rest.map(resultOf)];
    });
    const host = open().worker(settings(clock, loop, { work: async (_, { key }) => seen.push(key) }));
    await host.start('r1', 'in');
    expect(await host.start('r1', 'again')).toBe('exists');
    expect(await ended(host, 'r1', clock)).toMatchObject({ phase: 'done', result: ['in', 1, 2, 3] });
    expect(seen).toEqual(['r1/a', 'r1/b', 'r1/c']);
    await host.close();
  });

  test(`${name}: after a crash behind the effect there is one effect, and the step is in doubt`, async () => {
    const clock = createFakeClock();
    const engine = open();
    let effects = 0;
    const loop = loopOf(async (run) => (await run.call(step('pay', 'once'))).kind);
    const crashing = engine.worker(
      settings(clock, loop, {
        work: () => {
          effects++;
          return new Promise<never>(() => undefined);
        },
      }),
    );
    await crashing.start('r1', null);
    await until(clock, () => effects === 1);
    // The first worker never says another word: its clock does not move, and its lease runs out.
    const later = createFakeClock({ now: clock.now() + 5_000 });
    const second = engine.worker(settings(later, loop, { work: async () => ++effects }));
    expect(await ended(second, 'r1', later)).toMatchObject({ phase: 'done', result: 'in-doubt' });
    expect(effects).toBe(1);
    await second.close();
  });

  test(`${name}: an idempotent step that was started is run again, with the same key`, async () => {
    const clock = createFakeClock();
    const engine = open();
    const keys: string[] = [];
    const loop = loopOf(async (run) => resultOf(await run.call(step('put', 'repeatable'))));
    const crashing = engine.worker(
      settings(clock, loop, {
        work: (_, { key }) => {
          keys.push(key);
          return new Promise<never>(() => undefined);
        },
      }),
    );
    await crashing.start('r1', null);
    await until(clock, () => keys.length === 1);
    const attempts: number[] = [];
    const later = createFakeClock({ now: clock.now() + 5_000 });
    const second = engine.worker(
      settings(later, loop, {
        work: async (_, { key, attempt }) => {
          keys.push(key);
          attempts.push(attempt);
          return 'stored';
        },
      }),
    );
    expect(await ended(second, 'r1', later)).toMatchObject({ phase: 'done', result: 'stored' });
    expect(keys).toEqual(['r1/put', 'r1/put']);
    expect(attempts).toEqual([2]);
    await second.close();
  });

  test(`${name}: a worker that lost its run starts no further step, and its late result changes nothing`, async () => {
    const clock = createFakeClock();
    const engine = open();
    const effects: string[] = [];
    let release: (value: string) => void = () => undefined;
    const loop = loopOf(async (run) => {
      const first = await run.call(step('first', 'once'));
      const second = await run.call(step('second', 'once'));
      return [first.kind, second.kind];
    });
    const zombie = engine.worker(
      settings(clock, loop, {
        work: (_, { key }) => {
          effects.push(`zombie ${key}`);
          return new Promise<string>((resolve) => {
            release = resolve;
          });
        },
      }),
    );
    await zombie.start('r1', null);
    await until(clock, () => effects.length === 1);
    const later = createFakeClock({ now: clock.now() + 5_000 });
    const second = engine.worker(
      settings(later, loop, {
        work: async (_, { key }) => effects.push(`second ${key}`),
      }),
    );
    const status = await ended(second, 'r1', later);
    release('late');
    await poll(later);
    expect(status).toMatchObject({ phase: 'done', result: ['in-doubt', 'ok'] });
    expect(effects).toEqual(['zombie r1/first', 'second r1/second']);
    expect(await second.status('r1')).toEqual(status);
    await second.close();
  });

  test(`${name}: the first of two answers to a wait wins, and an answer may come before the wait`, async () => {
    const clock = createFakeClock();
    const loop = loopOf(async (run) => {
      const early = await run.wait('early', { deadline: null, note: 'n' });
      const late = await run.wait('late', { deadline: null, note: 'n' });
      return [early, late].map((outcome) => (outcome.kind === 'resolved' ? outcome.value : 'expired'));
    });
    const host = open().worker(settings(clock, loop));
    await host.start('r1', null);
    expect(await host.resolve('r1', 'early', 1)).toBe('accepted');
    expect(await host.resolve('r1', 'early', 2)).toBe('already');
    await waiting(host, 'late', clock);
    expect(await host.resolve('r1', 'late', 3)).toBe('accepted');
    expect(await host.resolve('r1', 'late', 4)).toBe('already');
    expect(await host.resolve('nobody', 'late', 4)).toBe('unknown');
    expect(await ended(host, 'r1', clock)).toMatchObject({ result: [1, 3] });
    await host.close();
  });

  test(`${name}: an answer given while no worker runs the loop is there when one does`, async () => {
    const engine = open();
    const clock = createFakeClock();
    const loop = loopOf(async (run) => (await run.wait('k', { deadline: null, note: null })).kind);
    const first = engine.worker(settings(clock, loop));
    await first.start('r1', null);
    await waiting(first, 'k', clock);
    const other = engine.worker({ ...settings(clock, { ...loop, version: 2 }) });
    expect(await other.resolve('r1', 'k', true)).toBe('accepted');
    expect(await ended(first, 'r1', clock)).toMatchObject({ phase: 'done', result: 'resolved' });
    await first.close();
  });

  test(`${name}: a wait of 40 days expires at its time, not before, also in another worker`, async () => {
    const engine = open();
    const clock = createFakeClock();
    const deadline = clock.now() + 40 * DAY_MS;
    const loop = loopOf(async (run) => (await run.wait('k', { deadline, note: null })).kind);
    const first = engine.worker(settings(clock, loop));
    await first.start('r1', null);
    await waiting(first, 'k', clock);
    const early = createFakeClock({ now: deadline - 1_000 });
    const second = engine.worker(settings(early, loop));
    await poll(early);
    expect(await second.status('r1')).toMatchObject({ phase: 'waiting' });
    await early.advance(2_000);
    expect(await ended(second, 'r1', early)).toMatchObject({ phase: 'done', result: 'expired' });
    expect(await second.resolve('r1', 'k', true)).toBe('already');
    await second.close();
  });

  test(`${name}: a run that is cancelled while it waits ends, and a later answer has no effect`, async () => {
    const clock = createFakeClock();
    const loop = loopOf(async (run) => {
      await run.call(step('a', 'once'));
      return (await run.wait('k', { deadline: null, note: null })).kind;
    });
    const host = open().worker(settings(clock, loop, { work: async () => 'did it' }));
    await host.start('r1', 'in');
    await waiting(host, 'k', clock);
    await host.cancel('r1', 'not needed');
    expect(await ended(host, 'r1', clock)).toMatchObject({
      phase: 'cancelled',
      error: { message: 'not needed' },
    });
    expect(await host.resolve('r1', 'k', true)).toBe('unknown');
    expect(await host.pending()).toEqual([]);
    // What it did stays on the record, and what it waited for was never settled.
    expect(await host.record('r1')).toMatchObject({
      input: 'in',
      steps: [
        { name: 'a', op: 'work', outcome: { kind: 'ok', value: 'did it' } },
        { name: 'wait:k', op: 'wait' },
      ],
    });
    expect(await host.record('r2')).toBeNull();
    await host.close();
  });

  test(`${name}: a loop that does not fit the journal leaves the run stuck, not lost`, async () => {
    const engine = open();
    const clock = createFakeClock();
    const before = loopOf(async (run) => {
      await run.call(step('old-name', 'once'));
      return (await run.wait('k', { deadline: null, note: null })).kind;
    });
    const first = engine.worker(settings(clock, before, { work: async () => 1 }));
    await first.start('r1', null);
    await waiting(first, 'k', clock);
    const renamed = loopOf(async (run) => (await run.call(step('new-name', 'once'))).kind);
    let effects = 0;
    // Its clock stands still from here on: it is the second worker that takes the run up.
    const later = createFakeClock({ now: clock.now() + 5_000 });
    const second = engine.worker(settings(later, renamed, { work: async () => ++effects }));
    await second.resolve('r1', 'k', true);
    const status = await ended(second, 'r1', later);
    expect(status).toMatchObject({ phase: 'stuck', error: { code: 'durable/journal-mismatch' } });
    expect(effects).toBe(0);
    await second.close();
  });

  test(`${name}: sleeping, the clock and identifiers are the same on every replay`, async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const loop = loopOf(async (run) => {
      const id = await run.uuid('id');
      const before = await run.now('before');
      seen.push(`${id} ${before}`);
      await run.sleep('nap', 3_000);
      return (await run.now('after')) - before >= 3_000;
    });
    const host = open().worker(settings(clock, loop));
    await host.start('r1', null);
    await until(clock, () => seen.length === 1);
    expect(await host.pending()).toEqual([]);
    expect(await ended(host, 'r1', clock)).toMatchObject({ phase: 'done', result: true });
    expect(new Set(seen).size).toBe(1);
    expect(seen.length).toBeGreaterThan(1);
    await host.close();
  });
}

function loopOf(run: Loop['run']): Loop {
  return { version: 1, run };
}

function step(name: string, effect: StepEffect): Parameters<DurableRun['call']>[0] {
  return { name, op: 'work', input: null, effect, timeoutMs: 'none' };
}

function resultOf(outcome: Awaited<ReturnType<DurableRun['call']>>): string | number {
  return outcome.kind === 'ok' ? (outcome.value as string | number) : outcome.kind;
}

async function poll(clock: FakeClock): Promise<void> {
  await clock.advance(100);
}

async function until(clock: FakeClock, reached: () => boolean): Promise<void> {
  for (let round = 0; round < 100 && !reached(); round++) await poll(clock);
  expect(reached()).toBe(true);
}

async function waiting(host: DurableHost, key: string, clock: FakeClock): Promise<void> {
  for (let round = 0; round < 100; round++) {
    if ((await host.pending()).some((wait) => wait.key === key)) return;
    await poll(clock);
  }
  throw new Error(`nothing waits for ${key}`);
}

async function ended(host: DurableHost, runId: string, clock: FakeClock): Promise<RunStatus> {
  let status: RunStatus | undefined;
  void host.finished(runId).then((end) => {
    status = end;
  });
  for (let round = 0; round < 200 && status === undefined; round++) await poll(clock);
  if (status === undefined) throw new Error('the run did not end');
  return status;
}
