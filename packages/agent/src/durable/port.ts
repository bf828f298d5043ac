import type { JsonValue } from '@toolgate/core';

/** What may happen to a step after a crash: run it again, or never start it a second time. */
export type StepEffect = 'repeatable' | 'once';

/** One named, registered operation. Data only, so that any engine can carry it to another process. */
export interface Step {
  /** Unique within the run and made from data that is already in the journal, for example `model:3`. */
  readonly name: string;
  /** Which registered handler does the work. */
  readonly op: string;
  readonly input: JsonValue;
  readonly effect: StepEffect;
  /** Wall-clock bound of one attempt in milliseconds. */
  readonly timeoutMs: number | 'none';
}

/** An error as it may stand in a journal: no stack, no message of a stranger. */
export interface SafeError {
  readonly code: string;
  readonly message: string;
}

/** How a step ended. `in-doubt`: it was started, and nobody knows what it did; it is not started again. */
export type StepOutcome =
  | { readonly kind: 'ok'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly error: SafeError }
  | { readonly kind: 'in-doubt'; readonly evidence?: JsonValue };

/** How a wait ended. */
export type WaitOutcome =
  | { readonly kind: 'resolved'; readonly value: JsonValue }
  | { readonly kind: 'expired' };

/** What a wait shows to whoever may resolve it, and until when. */
export interface WaitOptions {
  /** Milliseconds since the epoch; `null` waits without end. */
  readonly deadline: number | null;
  readonly note: JsonValue;
}

/**
 * Everything a loop may touch outside itself; one per attempt at executing a run. A loop that decides only on what
 * comes back from here is deterministic, and can be replayed.
 *
 * Never run two branches of several steps at once: fan out single steps with `all` and join.
 */
export interface DurableRun {
  readonly runId: string;
  readonly loopVersion: number;
  /** One step: its outcome is journaled before it is given, and a replay gives it without the handler. */
  call(step: Step): Promise<StepOutcome>;
  /** Steps in a fixed order in, outcomes in the same order out; they run at the same time. */
  all(steps: readonly Step[]): Promise<readonly StepOutcome[]>;
  /** Waits, over restarts, until somebody resolves `key` or its deadline is over. Keys are unique in a run. */
  wait(key: string, options: WaitOptions): Promise<WaitOutcome>;
  /** Waits for a time in milliseconds, over restarts. */
  sleep(name: string, ms: number): Promise<void>;
  /** The clock, journaled: a replay sees the old value. */
  now(name: string): Promise<number>;
  /** A random UUID, journaled. */
  uuid(name: string): Promise<string>;
  /** Progress for a user interface: delivered at least once, with a sequence number. */
  emit(event: JsonValue): Promise<void>;
}

/** The deterministic part. `version` changes whenever the order or the names of its steps change. */
export interface Loop {
  readonly version: number;
  run(run: DurableRun, input: JsonValue): Promise<JsonValue>;
}

/** What a handler is told beside its input. */
export interface HandlerContext {
  /** `runId/name`: the same on every attempt; pass it on to whoever honours idempotency keys. */
  readonly key: string;
  readonly runId: string;
  /** From 1; more than 1 only for `repeatable` steps. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Does the work of one kind of step. A throw is recorded as `failed`. */
export type Handler = (input: JsonValue, context: HandlerContext) => Promise<JsonValue>;

/** All operations by name. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Encrypts, compresses or redacts what is written to a journal. `decode(encode(text))` is `text`. */
export interface JournalCodec {
  encode(text: string): string;
  decode(text: string): string;
}

/** Where a run is. `stuck`: its journal does not fit its loop; nothing is lost and it can be repaired. */
export type RunPhase = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'stuck';

/** What is known of a run. */
export interface RunStatus {
  readonly runId: string;
  readonly loopVersion: number;
  readonly phase: RunPhase;
  /** What the loop returned; with phase `done`. */
  readonly result?: JsonValue;
  /** With phases `failed`, `cancelled` and `stuck`. */
  readonly error?: SafeError;
}

/** One wait that nobody resolved yet. */
export interface PendingWait {
  readonly runId: string;
  readonly key: string;
  /** Milliseconds since the epoch; `null` waits without end. */
  readonly deadline: number | null;
  readonly note: JsonValue;
}

/** One wait, open or answered. */
export interface KnownWait extends PendingWait {
  readonly answered: boolean;
}

/** A step that was begun. Without `outcome` nobody has written down how it ended. */
export interface RecordedStep {
  readonly name: string;
  readonly op: string;
  readonly outcome?: JsonValue;
}

/** What is written down of a run. */
export interface RunRecord {
  readonly runId: string;
  readonly loopVersion: number;
  readonly input: JsonValue;
  /** In the order in which they were begun; a wait is the step `wait:KEY`. */
  readonly steps: readonly RecordedStep[];
}

/** What an application sees of an engine. */
export interface DurableHost {
  /** Starts a run, or says that this id was used before; then nothing happens. */
  start(runId: string, input: JsonValue): Promise<'started' | 'exists'>;
  /** Answers a wait; the first answer wins. A wait that has not been reached yet keeps the answer for later. */
  resolve(runId: string, waitKey: string, value: JsonValue): Promise<'accepted' | 'already' | 'unknown'>;
  /** A wait that the run has reached, or that was answered before. */
  findWait(runId: string, waitKey: string): Promise<KnownWait | null>;
  /** Ends a run before its next step; undoes nothing. */
  cancel(runId: string, reason: string): Promise<void>;
  status(runId: string): Promise<RunStatus | null>;
  /** What is written down of a run, also of one that has ended. */
  record(runId: string): Promise<RunRecord | null>;
  /** Waits of all runs, oldest first. */
  pending(page?: { readonly limit?: number; readonly offset?: number }): Promise<readonly PendingWait[]>;
  /** Resolves when the run has ended, or is stuck. */
  finished(runId: string): Promise<RunStatus>;
  /** Stops working; runs stay where they are. Started handlers are signalled and joined. */
  close(): Promise<void>;
}
