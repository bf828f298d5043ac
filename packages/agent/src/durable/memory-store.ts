import type { JournalStore, NewEntry, StoredEntry, StoredRun, StoredWait } from './journal-store.ts';
import type { RunPhase } from './port.ts';

interface Holding {
  readonly run: { -readonly [Field in keyof StoredRun]: StoredRun[Field] };
  epoch: number;
  heldUntil: number;
  wakeAt: number;
  readonly entries: { -readonly [Field in keyof StoredEntry]: StoredEntry[Field] }[];
  readonly waits: Map<string, StoredWait & { open: boolean }>;
}

const FINAL: ReadonlySet<RunPhase> = new Set(['done', 'failed', 'cancelled', 'stuck']);

/** A store that lives as long as its process: the semantics of a real one, nothing on a disk. */
export function createMemoryStore(): JournalStore {
  const runs = new Map<string, Holding>();
  const held = (runId: string, epoch: number): Holding | undefined => {
    const holding = runs.get(runId);
    return holding !== undefined && holding.epoch === epoch && !FINAL.has(holding.run.phase)
      ? holding
      : undefined;
  };

  return {
    createRun({ runId, loopVersion, input }) {
      if (runs.has(runId)) return false;
      runs.set(runId, {
        run: { runId, loopVersion, input, phase: 'running', ending: null },
        epoch: 0,
        heldUntil: 0,
        wakeAt: 0,
        entries: [],
        waits: new Map(),
      });
      return true;
    },
    readRun: (runId) => {
      const holding = runs.get(runId);
      return holding === undefined ? undefined : { ...holding.run };
    },
    claimableRuns: (now, loopVersions, limit) =>
      [...runs.values()]
        .filter(
          ({ run, heldUntil, wakeAt }) =>
            !FINAL.has(run.phase) &&
            heldUntil <= now &&
            wakeAt <= now &&
            loopVersions.includes(run.loopVersion),
        )
        .slice(0, limit)
        .map(({ run }) => run.runId),
    claim(runId, _owner, now, until) {
      const holding = runs.get(runId);
      if (holding === undefined || FINAL.has(holding.run.phase) || holding.heldUntil > now) return undefined;
      holding.heldUntil = until;
      holding.run.phase = 'running';
      return ++holding.epoch;
    },
    renew(runId, epoch, until) {
      const holding = held(runId, epoch);
      if (holding === undefined) return false;
      holding.heldUntil = until;
      return true;
    },
    release(runId, epoch) {
      const holding = runs.get(runId);
      if (holding?.epoch === epoch) holding.heldUntil = 0;
    },
    park(runId, epoch, key, wakeAt) {
      const holding = held(runId, epoch);
      if (holding === undefined) return;
      holding.heldUntil = 0;
      holding.run.phase = 'waiting';
      const answered = holding.waits.get(key)?.outcome != null;
      holding.wakeAt = answered ? 0 : (wakeAt ?? Number.POSITIVE_INFINITY);
    },
    end(runId, epoch, phase, ending) {
      const holding = epoch === 'any' ? runs.get(runId) : held(runId, epoch);
      if (holding === undefined || FINAL.has(holding.run.phase)) return false;
      holding.run.phase = phase;
      holding.run.ending = ending;
      holding.heldUntil = 0;
      return true;
    },
    reopen(runId) {
      const holding = runs.get(runId);
      if (holding?.run.phase !== 'stuck') return false;
      holding.run.phase = 'running';
      holding.run.ending = null;
      holding.wakeAt = 0;
      return true;
    },
    readEntries: (runId) => (runs.get(runId)?.entries ?? []).map((entry) => ({ ...entry })),
    begin(runId, epoch, entries: readonly NewEntry[]) {
      const holding = held(runId, epoch);
      if (holding === undefined || entries.some(({ position }) => position < holding.entries.length))
        return false;
      for (const entry of entries) holding.entries.push({ ...entry, attempts: 1, outcome: null });
      return true;
    },
    beginAgain(runId, epoch, position) {
      const entry = held(runId, epoch)?.entries[position];
      if (entry === undefined || entry.outcome !== null) return false;
      entry.attempts++;
      return true;
    },
    settle(runId, position, outcome) {
      const entry = runs.get(runId)?.entries[position];
      if (entry === undefined || entry.outcome !== null) return false;
      entry.outcome = outcome;
      return true;
    },
    openWait(wait, epoch) {
      const holding = held(wait.runId, epoch);
      if (holding === undefined) return undefined;
      const opened = { ...wait, outcome: holding.waits.get(wait.key)?.outcome ?? null, open: true };
      holding.waits.set(wait.key, opened);
      return opened;
    },
    readWait: (runId, key) => runs.get(runId)?.waits.get(key),
    answerWait(runId, key, outcome) {
      const holding = runs.get(runId);
      if (holding === undefined) return 'unknown';
      const wait = holding.waits.get(key);
      if (wait?.outcome != null) return 'already';
      if (FINAL.has(holding.run.phase) && holding.run.phase !== 'stuck') return 'unknown';
      holding.waits.set(key, {
        runId,
        key,
        deadline: wait?.deadline ?? null,
        note: wait?.note ?? 'null',
        open: wait?.open ?? false,
        outcome,
      });
      holding.wakeAt = 0;
      return 'accepted';
    },
    openWaits: (limit, offset) =>
      [...runs.values()]
        .filter(({ run }) => !FINAL.has(run.phase))
        .flatMap(({ waits }) => [...waits.values()].filter((wait) => wait.open && wait.outcome === null))
        .slice(offset, offset + limit),
    close() {
      runs.clear();
    },
  };
}
