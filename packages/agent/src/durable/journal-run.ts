import type { Clock, JsonValue } from '@toolgate/core';
import { guardStore, type RunStore } from './guard-store.ts';
import { Interruption } from './interruption.ts';
import type { StoredEntry } from './journal-store.ts';
import { readJournal, writeJournal } from './journal-text.ts';
import type {
  DurableRun,
  Handlers,
  JournalCodec,
  SafeError,
  Step,
  StepOutcome,
  WaitOptions,
  WaitOutcome,
} from './port.ts';
import { runHandler } from './run-handler.ts';

const SLEEP_PREFIX = 'sleep/';

/** Pauses between attempts at recording an outcome; together less than the default lease. */
const SETTLE_DELAYS_MS = [50, 200, 1_000, 3_000] as const;

/** What one attempt works with. */
export interface JournalRunConfig {
  readonly runId: string;
  readonly loopVersion: number;
  readonly epoch: number;
  readonly store: RunStore;
  readonly handlers: Handlers;
  readonly reconcilers: Handlers;
  readonly codec: JournalCodec;
  readonly clock: Clock;
  readonly newUuid: () => string;
  readonly emit: (sequence: number, event: JsonValue) => void;
  /** Aborted when the host closes or the run is cancelled. */
  readonly signal: AbortSignal;
}

/** Replays what a journal holds, then goes on from there and writes it down. One per attempt. */
export function createJournalRun(config: JournalRunConfig): DurableRun {
  const { runId, loopVersion, epoch, codec, clock, signal } = config;
  const store = guardStore(config.store);
  const entries: (StoredEntry | undefined)[] = [...store.readEntries(runId)];
  let position = 0;
  let sequence = 0;

  const write = (value: JsonValue): string => codec.encode(writeJournal(value));
  const read = (text: string): JsonValue => readJournal(codec.decode(text));

  /** Takes the next positions of the journal, and starts in one write what stands at none of them yet. */
  function take(steps: readonly Pick<Step, 'name' | 'op' | 'effect'>[]): readonly Taken[] {
    const taken = steps.map((step, offset): Taken => {
      const at = position + offset;
      const entry = entries[at];
      if (entry !== undefined && (entry.name !== step.name || entry.op !== step.op)) {
        throw new Interruption('stuck', `the journal has another step at position ${at}`);
      }
      return { position: at, entry };
    });
    position += steps.length;
    const fresh = taken.flatMap(({ position: at, entry }, index) => {
      const step = steps[index];
      return entry === undefined && step !== undefined
        ? [{ position: at, name: step.name, op: step.op, effect: step.effect }]
        : [];
    });
    if (fresh.length > 0) {
      if (signal.aborted) throw new Interruption('closed', 'no further step is started');
      if (!store.begin(runId, epoch, fresh))
        throw new Interruption('lost', 'another worker has this run, or it is over');
    }
    return taken;
  }

  /** Writes an outcome down; when somebody was faster, theirs is the truth. */
  function settle(at: number, outcome: JsonValue): JsonValue {
    if (store.settle(runId, at, write(outcome))) return outcome;
    const settled = store.readEntries(runId)[at]?.outcome;
    if (settled == null) throw new Interruption('lost', 'the journal of this run is gone');
    return read(settled);
  }

  function recorded(name: string, op: string, make: () => JsonValue): JsonValue {
    const [taken] = take([{ name, op, effect: 'repeatable' }]);
    if (taken === undefined) throw new Interruption('stuck', 'a step without a position');
    return taken.entry?.outcome == null ? settle(taken.position, make()) : read(taken.entry.outcome);
  }

  async function perform(step: Step, { position: at, entry }: Taken): Promise<StepOutcome> {
    if (entry?.outcome != null) return read(entry.outcome) as unknown as StepOutcome;
    const key = `${runId}/${step.name}`;
    let attempt = 1;
    if (entry !== undefined) {
      // Started by an earlier attempt that never said how it ended.
      if (step.effect === 'once')
        return settle(at, toJson(await inDoubt(step, key))) as unknown as StepOutcome;
      if (!store.beginAgain(runId, epoch, at)) throw new Interruption('lost', 'another worker has this run');
      attempt = entry.attempts + 1;
    }
    const outcome = await runHandler(config.handlers[step.op], step, { key, runId, attempt, signal }, clock);
    // What our own stop broke off has not failed: it is done again by whoever goes on.
    if (outcome.kind === 'failed' && step.effect === 'repeatable' && signal.aborted)
      throw new Interruption('closed', 'the step was broken off');
    return (await settlePatiently(at, toJson(outcome))) as unknown as StepOutcome;
  }

  /** What is known of an effect is not given up at the first failure of the journal. */
  async function settlePatiently(at: number, outcome: JsonValue): Promise<JsonValue> {
    for (const delay of SETTLE_DELAYS_MS) {
      try {
        return settle(at, outcome);
      } catch (error) {
        if (!(error instanceof Interruption) || error.kind !== 'broken' || signal.aborted) throw error;
        await new Promise<void>((resolve) => void clock.setTimer(resolve, delay));
      }
    }
    return settle(at, outcome);
  }

  /** Asks the operation whether it can tell what happened; never runs it again. */
  async function inDoubt(step: Step, key: string): Promise<StepOutcome> {
    const reconcile = config.reconcilers[step.op];
    if (reconcile === undefined) return { kind: 'in-doubt' };
    const answer = await runHandler(
      reconcile,
      { ...step, effect: 'repeatable' },
      { key, runId, attempt: 1, signal },
      clock,
    );
    return answer.kind === 'ok' && answer.value !== null ? answer : { kind: 'in-doubt' };
  }

  async function all(steps: readonly Step[]): Promise<readonly StepOutcome[]> {
    const taken = take(steps);
    const settled = await Promise.allSettled(
      steps.map((step, index) => perform(step, taken[index] ?? { position: -1, entry: undefined })),
    );
    return settled.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  async function wait(key: string, { deadline, note }: WaitOptions): Promise<WaitOutcome> {
    const [taken] = take([{ name: `wait:${key}`, op: 'wait', effect: 'repeatable' }]);
    if (taken === undefined) throw new Interruption('stuck', 'a wait without a position');
    if (taken.entry?.outcome != null) return read(taken.entry.outcome) as unknown as WaitOutcome;
    const opened = store.readWait(runId, key)?.outcome ?? open();
    if (opened !== null) return settle(taken.position, read(opened)) as unknown as WaitOutcome;
    if (deadline !== null && deadline <= clock.now()) {
      store.answerWait(runId, key, write({ kind: 'expired' }));
      const outcome = store.readWait(runId, key)?.outcome;
      if (outcome != null) return settle(taken.position, read(outcome)) as unknown as WaitOutcome;
    }
    throw new Interruption('parked', 'waits', { key, wakeAt: deadline });

    function open(): string | null {
      const stored = store.openWait({ runId, key, deadline, note: write(note) }, epoch);
      if (stored === undefined) throw new Interruption('lost', 'another worker has this run, or it is over');
      return stored.outcome;
    }
  }

  return {
    runId,
    loopVersion,
    all,
    async call(step) {
      const [outcome] = await all([step]);
      return outcome ?? { kind: 'failed', error: missing };
    },
    async wait(key, options) {
      if (key.startsWith(SLEEP_PREFIX)) throw new TypeError(`a wait key may not start with ${SLEEP_PREFIX}`);
      return wait(key, options);
    },
    async sleep(name, ms) {
      const until = recorded(`sleep:${name}`, 'now', () => clock.now() + ms);
      await wait(`${SLEEP_PREFIX}${name}`, { deadline: Number(until), note: null });
    },
    async now(name) {
      return Number(recorded(`now:${name}`, 'now', () => clock.now()));
    },
    async uuid(name) {
      const uuid = recorded(`uuid:${name}`, 'uuid', () => config.newUuid());
      if (typeof uuid !== 'string') throw new Interruption('stuck', 'the journal has no identifier here');
      return uuid;
    },
    async emit(event) {
      config.emit(++sequence, event);
    },
  };
}

interface Taken {
  readonly position: number;
  /** What the journal held when this attempt began. */
  readonly entry: StoredEntry | undefined;
}

const missing: SafeError = { code: 'durable/step-missing', message: 'the step gave no outcome' };

/** Outcomes are JSON by construction; absent members are left out. */
function toJson(outcome: StepOutcome): JsonValue {
  return { ...outcome } as unknown as JsonValue;
}

/** Whether a wait is one of {@link DurableRun.sleep}, which nobody can answer. */
export function isSleep(key: string): boolean {
  return key.startsWith(SLEEP_PREFIX);
}
