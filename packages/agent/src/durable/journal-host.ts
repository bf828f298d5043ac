import { type Clock, ignoreThrown, type JsonValue, systemClock } from '@toolgate/core';
import { Interruption } from './interruption.ts';
import { createJournalRun, isSleep } from './journal-run.ts';
import type { JournalStore } from './journal-store.ts';
import { readJournal, writeJournal } from './journal-text.ts';
import type {
  DurableHost,
  Handlers,
  JournalCodec,
  Loop,
  PendingWait,
  RecordedStep,
  RunStatus,
  SafeError,
} from './port.ts';
import { takingHost } from './taking-host.ts';

/** What an engine is made of. */
export interface EngineConfig {
  /** The loop for new runs first, then older versions that runs may still need. */
  readonly loops: readonly [Loop, ...Loop[]];
  readonly handlers: Handlers;
  /**
   * By operation: asked, instead of running a `once` step again, whether an earlier attempt had its effect. `null`
   * means that it cannot tell.
   */
  readonly reconcilers?: Handlers;
  readonly codec?: JournalCodec;
  /** Progress of every run, at least once each; `sequence` counts within a run and repeats on replay. */
  readonly onEvent?: (runId: string, sequence: number, event: JsonValue) => void;
  /**
   * Told when the journal could not be read or written; the host tries again. Must not throw. Default: nothing happens.
   */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly newUuid?: () => string;
  /** Names this worker. Default: a random UUID. */
  readonly owner?: string;
  /** How long a worker that says nothing keeps its runs, in milliseconds. Default 15,000. */
  readonly leaseMs?: number;
  /** How often to look for runs that others started, woke or lost, in milliseconds. Default 250. */
  readonly pollMs?: number;
  /** Runs that execute at the same time. Default 64. */
  readonly concurrency?: number;
}

interface Active {
  readonly controller: AbortController;
  readonly epoch: number;
  readonly done: Promise<void>;
}

const plainCodec: JournalCodec = { encode: (text) => text, decode: (text) => text };

/** Executes runs over a journal: claims them, replays them, parks them while they wait. */
export function createJournalHost(store: JournalStore, config: EngineConfig): DurableHost {
  const clock = config.clock ?? systemClock;
  const codec = config.codec ?? plainCodec;
  const newUuid = config.newUuid ?? (() => crypto.randomUUID());
  const owner = config.owner ?? newUuid();
  const leaseMs = config.leaseMs ?? 15_000;
  const pollMs = config.pollMs ?? 250;
  const concurrency = config.concurrency ?? 64;
  const loops = new Map(config.loops.map((loop) => [loop.version, loop]));
  const active = new Map<string, Active>();
  const watchers = new Map<string, ((status: RunStatus) => void)[]>();
  let closed = false;
  let timer: unknown;
  let renewedAt = clock.now();

  const write = (value: JsonValue): string => codec.encode(writeJournal(value));
  const read = (text: string): JsonValue => readJournal(codec.decode(text));

  function readStatus(runId: string): RunStatus | null {
    const run = store.readRun(runId);
    if (run === undefined) return null;
    const base = { runId, loopVersion: run.loopVersion, phase: run.phase };
    if (run.ending === null) return base;
    const ending = read(run.ending);
    return run.phase === 'done'
      ? { ...base, result: ending }
      : { ...base, error: ending as unknown as SafeError };
  }

  /** A journal that cannot be used now ends neither the process nor a run. */
  function tick(): void {
    if (closed) return;
    try {
      work();
    } catch (error) {
      tellError(error);
    }
    schedule(pollMs);
  }

  function work(): void {
    const now = clock.now();
    if (now - renewedAt >= leaseMs / 3) {
      renewedAt = now;
      for (const [runId, { epoch, controller }] of active) {
        if (!store.renew(runId, epoch, now + leaseMs))
          controller.abort(new Interruption('lost', 'the run is lost'));
      }
    }
    const free = concurrency - active.size;
    for (const runId of free > 0 ? store.claimableRuns(now, [...loops.keys()], free) : []) {
      if (active.has(runId)) continue;
      const epoch = store.claim(runId, owner, now, now + leaseMs);
      if (epoch === undefined) continue;
      const controller = new AbortController();
      const done = execute(runId, epoch, controller.signal).finally(() => {
        active.delete(runId);
        schedule(0);
      });
      active.set(runId, { controller, epoch, done });
    }
    tellWatchers();
  }

  function schedule(delay: number): void {
    if (closed) return;
    if (timer !== undefined) clock.clearTimer(timer);
    timer = clock.setTimer(tick, delay);
    // Somebody awaits an active or a watched run; nothing else needs the process to stay.
    clock.holdTimer?.(timer, active.size > 0 || watchers.size > 0);
  }

  function tellWatchers(): void {
    for (const [runId, resolvers] of watchers) {
      const status = readStatus(runId);
      if (status === null || status.phase === 'running' || status.phase === 'waiting') continue;
      watchers.delete(runId);
      for (const resolve of resolvers) resolve(status);
    }
  }

  async function execute(runId: string, epoch: number, signal: AbortSignal): Promise<void> {
    try {
      await attempt(runId, epoch, signal);
    } catch (error) {
      // The hold runs out by itself, and whoever takes the run goes on where the journal ends.
      tellError(error);
    }
  }

  async function attempt(runId: string, epoch: number, signal: AbortSignal): Promise<void> {
    const stored = store.readRun(runId);
    const loop = stored === undefined ? undefined : loops.get(stored.loopVersion);
    if (stored === undefined || loop === undefined) return store.release(runId, epoch);
    let ending: string;
    try {
      const run = createJournalRun({
        runId,
        loopVersion: stored.loopVersion,
        epoch,
        store,
        handlers: config.handlers,
        reconcilers: config.reconcilers ?? {},
        codec,
        clock,
        newUuid,
        signal,
        emit: (sequence, event) => tell(runId, sequence, event),
      });
      ending = write(await loop.run(run, read(stored.input)));
    } catch (error) {
      return stop(runId, epoch, error);
    }
    store.end(runId, epoch, 'done', ending);
  }

  function stop(runId: string, epoch: number, error: unknown): void {
    ignoreThrown(error);
    if (!(error instanceof Interruption)) {
      store.end(runId, epoch, 'failed', write({ code: 'durable/loop-error', message: 'the loop threw' }));
      return;
    }
    if (error.kind === 'broken') tellError(error.cause);
    if (error.kind === 'parked' && error.wait !== undefined)
      store.park(runId, epoch, error.wait.key, error.wait.wakeAt);
    else if (error.kind === 'stuck')
      store.end(runId, epoch, 'stuck', write({ code: 'durable/journal-mismatch', message: error.message }));
    else store.release(runId, epoch);
  }

  function tellError(error: unknown): void {
    ignoreThrown(error);
    try {
      // Its answer is a promise where the listener is an async function.
      ignoreThrown(config.onError?.(error));
    } catch (thrown) {
      ignoreThrown(thrown);
      // Contained, as for every listener.
    }
  }

  /** A listener that throws is its own affair. */
  function tell(runId: string, sequence: number, event: JsonValue): void {
    try {
      ignoreThrown(config.onEvent?.(runId, sequence, event));
    } catch (thrown) {
      ignoreThrown(thrown);
      // Contained: progress is for people, the run does not depend on it.
    }
  }

  schedule(0);
  return takingHost({
    async start(runId, input) {
      refuseWhenClosed(closed);
      const created = store.createRun({
        runId,
        loopVersion: config.loops[0].version,
        input: write(input),
        now: clock.now(),
      });
      if (created) schedule(0);
      return created ? 'started' : 'exists';
    },
    async resolve(runId, waitKey, value) {
      refuseWhenClosed(closed);
      if (isSleep(waitKey)) return 'unknown';
      const answer = store.answerWait(runId, waitKey, write({ kind: 'resolved', value }));
      if (answer === 'accepted') schedule(0);
      return answer;
    },
    async findWait(runId, key) {
      const wait = isSleep(key) ? undefined : store.readWait(runId, key);
      if (wait === undefined) return null;
      const { deadline, note, outcome } = wait;
      return { runId, key, deadline, note: note === 'null' ? null : read(note), answered: outcome !== null };
    },
    async cancel(runId, reason) {
      refuseWhenClosed(closed);
      store.end(
        runId,
        'any',
        'cancelled',
        write({ code: 'durable/cancelled', message: reason.slice(0, 200) }),
      );
      active.get(runId)?.controller.abort(new Interruption('lost', 'the run was cancelled'));
      schedule(0);
    },
    async status(runId) {
      return readStatus(runId);
    },
    async record(runId) {
      const run = store.readRun(runId);
      if (run === undefined) return null;
      const steps = store
        .readEntries(runId)
        .map(
          ({ name, op, outcome }): RecordedStep =>
            outcome === null ? { name, op } : { name, op, outcome: read(outcome) },
        );
      return { runId, loopVersion: run.loopVersion, input: read(run.input), steps };
    },
    async pending({ limit = 100, offset = 0 } = {}) {
      return store
        .openWaits(limit, offset)
        .filter(({ key }) => !isSleep(key))
        .map(({ runId, key, deadline, note }): PendingWait => ({ runId, key, deadline, note: read(note) }));
    },
    finished(runId) {
      refuseWhenClosed(closed);
      return new Promise((resolve) => {
        watchers.set(runId, [...(watchers.get(runId) ?? []), resolve]);
        schedule(0);
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      if (timer !== undefined) clock.clearTimer(timer);
      for (const { controller } of active.values())
        controller.abort(new Interruption('closed', 'the host closes'));
      await Promise.allSettled([...active.values()].map(({ done }) => done));
      store.close();
    },
  });
}

function refuseWhenClosed(closed: boolean): void {
  if (closed) throw new Error('the durable host is closed');
}
