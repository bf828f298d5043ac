import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyLocks } from './key-locks.ts';
import { Scheduler } from './scheduler.ts';
import type { CallOrder, Ticket } from './ticket.ts';

interface Probe {
  readonly name: string;
  readonly order: CallOrder;
  readonly key: string | undefined;
  readonly session: number;
  ticket: Ticket;
}

/** Drives schedulers by hand and notes who runs. */
function createProbes(concurrency: number, sessions = 1) {
  const locks = new KeyLocks();
  const schedulers = Array.from({ length: sessions }, () => new Scheduler(concurrency, locks));
  const running = new Set<string>();
  const started: string[] = [];
  const at = (session: number): Scheduler => {
    const scheduler = schedulers[session];
    if (scheduler === undefined) throw new RangeError('no such session');
    return scheduler;
  };
  const start = (probe: Probe): void => {
    running.add(probe.name);
    started.push(probe.name);
  };
  return {
    running,
    started,
    arrive: (name: string, order: CallOrder, key?: string, session = 0): Probe => ({
      name,
      order,
      key,
      session,
      ticket: at(session).arrive(order),
    }),
    place: (probe: Probe, key = probe.key ?? ''): void => at(probe.session).place(probe.ticket, key),
    request: (probe: Probe): void => {
      if (at(probe.session).request(probe.ticket)) start(probe);
      else probe.ticket.resume = () => start(probe);
    },
    leave: (probe: Probe): void => {
      running.delete(probe.name);
      at(probe.session).leave(probe.ticket);
    },
  };
}

type Probes = ReturnType<typeof createProbes>;

function run(probes: Probes, name: string, order: CallOrder, key?: string, session = 0): Probe {
  const probe = probes.arrive(name, order, key, session);
  if (order === 'keyed') probes.place(probe);
  probes.request(probe);
  return probe;
}

describe('slots', () => {
  test('no more calls run than there are slots, and free slots go to calls in call order', () => {
    const probes = createProbes(2);
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(probes, name, 'free'));
    expect([...probes.running]).toEqual(['a', 'b']);
    for (const probe of all.slice(0, 3)) probes.leave(probe);
    expect(probes.started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a call that was let go by the one before it waits for a slot behind earlier calls', () => {
    const probes = createProbes(1);
    const first = run(probes, 'k1', 'keyed', 'k');
    const free = run(probes, 'free', 'free');
    run(probes, 'k2', 'keyed', 'k');
    probes.leave(first);
    expect([...probes.running]).toEqual(['free']);
    probes.leave(free);
    expect(probes.started).toEqual(['k1', 'free', 'k2']);
  });

  test('a call that becomes ready late takes a slot before later calls that wait', () => {
    const probes = createProbes(1);
    const first = run(probes, 'first', 'free');
    const slow = probes.arrive('slow', 'free');
    run(probes, 'later', 'free');
    probes.request(slow);
    probes.leave(first);
    expect(probes.started).toEqual(['first', 'slow']);
  });

  test('each session has its own slots', () => {
    const probes = createProbes(1, 2);
    run(probes, 'a', 'free', undefined, 0);
    run(probes, 'b', 'free', undefined, 1);
    expect([...probes.running]).toEqual(['a', 'b']);
  });

  test('a call that leaves while it waits for a slot never runs and takes none', () => {
    const probes = createProbes(1);
    const first = run(probes, 'first', 'free');
    const gone = run(probes, 'gone', 'free');
    run(probes, 'last', 'free');
    probes.leave(gone);
    probes.leave(first);
    expect(probes.started).toEqual(['first', 'last']);
  });
});

describe('single', () => {
  test('runs one at a time in call order while free calls overlap', () => {
    const probes = createProbes(8);
    const reset = run(probes, 'reset', 'single');
    const ensure = run(probes, 'ensure', 'single');
    run(probes, 'read', 'free');
    expect([...probes.running]).toEqual(['reset', 'read']);
    probes.leave(reset);
    expect(probes.started).toEqual(['reset', 'read', 'ensure']);
    probes.leave(ensure);
  });

  test('keeps call order when the first one is not ready, as while its approval is awaited', () => {
    const probes = createProbes(8);
    const first = probes.arrive('first', 'single');
    run(probes, 'second', 'single');
    expect(probes.started).toEqual([]);
    probes.request(first);
    expect(probes.started).toEqual(['first']);
    probes.leave(first);
    expect(probes.started).toEqual(['first', 'second']);
  });
});

describe('a barrier', () => {
  test('waits for everything before it and holds up everything after it', () => {
    const probes = createProbes(8);
    const before = [run(probes, 'r1', 'free'), run(probes, 'k1', 'keyed', 'k')];
    const write = run(probes, 'write', 'barrier');
    run(probes, 'r2', 'free');
    run(probes, 'k2', 'keyed', 'k');
    expect(probes.started).toEqual(['r1', 'k1']);
    for (const probe of before) probes.leave(probe);
    expect(probes.started).toEqual(['r1', 'k1', 'write']);
    probes.leave(write);
    expect(probes.started).toEqual(['r1', 'k1', 'write', 'r2', 'k2']);
  });

  test('barriers run one after the other', () => {
    const probes = createProbes(8);
    const writes = ['w1', 'w2', 'w3'].map((name) => run(probes, name, 'barrier'));
    for (const [index, probe] of writes.entries()) {
      expect(probes.started).toEqual(['w1', 'w2', 'w3'].slice(0, index + 1));
      probes.leave(probe);
    }
  });

  test('one that leaves before its turn holds up nobody', () => {
    const probes = createProbes(8);
    const first = run(probes, 'first', 'free');
    const write = run(probes, 'write', 'barrier');
    run(probes, 'read', 'free');
    probes.leave(write);
    probes.leave(first);
    expect(probes.started).toEqual(['first', 'read']);
  });

  test('concerns its own session only', () => {
    const probes = createProbes(8, 2);
    run(probes, 'w0', 'barrier', undefined, 0);
    run(probes, 'w1', 'barrier', undefined, 1);
    expect([...probes.running]).toEqual(['w0', 'w1']);
  });
});

describe('a resource key', () => {
  test('is held by one call at a time, in call order; other keys run', () => {
    const probes = createProbes(8);
    const first = run(probes, 'a1', 'keyed', 'a');
    run(probes, 'a2', 'keyed', 'a');
    run(probes, 'b1', 'keyed', 'b');
    expect([...probes.running]).toEqual(['a1', 'b1']);
    probes.leave(first);
    expect(probes.started).toEqual(['a1', 'b1', 'a2']);
  });

  test('is held across sessions, first come first served', () => {
    const probes = createProbes(8, 3);
    const first = run(probes, 's0', 'keyed', 'k', 0);
    const gone = run(probes, 's1', 'keyed', 'k', 1);
    run(probes, 's2', 'keyed', 'k', 2);
    expect([...probes.running]).toEqual(['s0']);
    probes.leave(gone);
    probes.leave(first);
    expect(probes.started).toEqual(['s0', 's2']);
  });

  test('is not taken by a call that is not ready, so another session can have it meanwhile', () => {
    const probes = createProbes(8, 2);
    const waiting = probes.arrive('approval', 'keyed', 'k', 0);
    probes.place(waiting);
    const other = run(probes, 'other', 'keyed', 'k', 1);
    expect([...probes.running]).toEqual(['other']);
    probes.request(waiting);
    probes.leave(other);
    expect(probes.started).toEqual(['other', 'approval']);
  });

  test('that is known late keeps later keyed calls in order, but not calls without a key', () => {
    const probes = createProbes(8);
    const late = probes.arrive('late', 'keyed', 'k');
    const early = run(probes, 'early', 'keyed', 'k');
    run(probes, 'free', 'free');
    expect(probes.started).toEqual(['free']);
    probes.place(late);
    probes.request(late);
    expect(probes.started).toEqual(['free', 'late']);
    probes.leave(late);
    probes.leave(early);
    expect(probes.started).toEqual(['free', 'late', 'early']);
  });

  test('that never becomes known, because its call ended, holds up nobody', () => {
    const probes = createProbes(8);
    const denied = probes.arrive('denied', 'keyed', 'k');
    run(probes, 'next', 'keyed', 'k');
    probes.leave(denied);
    expect(probes.started).toEqual(['next']);
  });

  test('that a reviewer changed goes to the end of the other lane and frees its own', () => {
    const probes = createProbes(8);
    const edited = probes.arrive('edited', 'keyed', 'a');
    probes.place(edited);
    run(probes, 'a2', 'keyed', 'a');
    const b1 = run(probes, 'b1', 'keyed', 'b');
    probes.place(edited, 'b');
    expect(probes.started).toEqual(['b1', 'a2']);
    probes.request(edited);
    probes.leave(b1);
    expect(probes.started).toEqual(['b1', 'a2', 'edited']);
  });
});

const orders: readonly CallOrder[] = ['free', 'single', 'barrier', 'keyed'];

test('whatever the order of arrivals, decisions and ends: all run or leave, and no rule is broken', () => {
  const step = fc.record({
    order: fc.constantFrom(...orders),
    key: fc.constantFrom('a', 'b'),
    session: fc.nat({ max: 1 }),
    abandon: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 3 }),
      (steps, choices, slots) => {
        const probes = createProbes(slots, 2);
        const pick = (size: number): number => choices.next().value % size;
        const all = steps.map((made, index) => ({
          made,
          index,
          probe: probes.arrive(String(index), made.order, made.key, made.session),
        }));
        const placing = all.filter(({ made }) => made.order === 'keyed');
        const requesting = [...all];
        const ended = new Set<number>();
        const check = (): void => {
          const now = all.filter(({ probe }) => probes.running.has(probe.name));
          for (const session of [0, 1]) {
            const own = now.filter(({ made }) => made.session === session);
            expect(own.length).toBeLessThanOrEqual(slots);
            expect(own.filter(({ made }) => made.order === 'single').length).toBeLessThanOrEqual(1);
            for (const barrier of own.filter(({ made }) => made.order === 'barrier')) {
              expect(own).toEqual([barrier]);
            }
            for (const { index } of own) {
              const passed = all.filter((other) => other.made.session === session && other.index < index);
              const open = passed.filter(
                (other) => other.made.order === 'barrier' && !ended.has(other.index),
              );
              expect(open).toEqual([]);
            }
          }
          for (const key of ['a', 'b']) {
            const holders = now.filter(({ made }) => made.order === 'keyed' && made.key === key);
            expect(holders.length).toBeLessThanOrEqual(1);
          }
        };
        while (ended.size < all.length) {
          const movable = all.filter(
            ({ probe, index }) => probes.running.has(probe.name) && !ended.has(index),
          );
          const choice = pick(3);
          const [first] = placing;
          if (choice === 0 && first !== undefined) {
            placing.splice(pick(placing.length), 1).forEach(({ probe }) => {
              probes.place(probe);
            });
          } else if (choice === 1 && requesting.length > 0) {
            const [next] = requesting.splice(pick(requesting.length), 1);
            if (next !== undefined) {
              if (placing.includes(next)) requesting.push(next);
              else if (next.made.abandon) {
                ended.add(next.index);
                probes.leave(next.probe);
              } else probes.request(next.probe);
            }
          } else if (movable.length > 0) {
            const next = movable[pick(movable.length)];
            if (next !== undefined) {
              ended.add(next.index);
              probes.leave(next.probe);
            }
          } else {
            // Nothing runs: then something is still to be placed or requested, or the scheduler lost a call.
            expect(placing.length + requesting.length).toBeGreaterThan(0);
          }
          check();
        }
        const wanted = all.filter(({ made }) => !made.abandon).map(({ probe }) => probe.name);
        expect([...probes.started].sort()).toEqual(wanted.sort());
      },
    ),
    { numRuns: 300 },
  );
});

test('the cost of a waiting call does not grow with the number of waiting calls', () => {
  const probes = createProbes(1);
  const first = run(probes, 'first', 'free');
  const all = Array.from({ length: 50_000 }, (_, index) =>
    run(probes, `n${index}`, index % 2 === 0 ? 'single' : 'free'),
  );
  probes.leave(first);
  for (const probe of all) probes.leave(probe);
  expect(probes.running.size).toBe(0);
  // 50,000 calls: a scan of the queue for each of them would be 1.25 billion steps and run into the test's time-out.
  expect(probes.started.length).toBe(50_001);
});
