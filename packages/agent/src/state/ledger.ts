import type { DeclinedCall } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import { addUsage } from '../loop/add-usage.ts';
import { callKey } from '../loop/call-key.ts';
import type { Advertised, LoopRules, ModelStepValue } from '../loop/loop-rules.ts';
import { createProgress, type Progress, type SettledCall } from '../loop/progress.ts';
import type { Answer } from '../loop/read-answer.ts';
import type { LoopState, RunUsage, TurnCall } from './loop-state.ts';
import { repeatNote, toResultItem } from './result-item.ts';
import { hasReached } from './run-outcome.ts';
import { MAX_WARNINGS, type RunWarning } from './run-warning.ts';

/** The growing record of a run: what was said, called and counted. Only the loop writes to it. */
export interface Ledger {
  readonly items: readonly Item[];
  readonly turns: number;
  readonly usage: RunUsage;
  readonly workedMs: number;
  readonly open: readonly TurnCall[];
  readonly advertised: Advertised;
  readonly progress: Progress;
  /** Ids of calls in the history; an answer adds its own. */
  readonly usedIds: Set<string>;
  readonly declined: ReadonlySet<string>;
  readonly declinedCalls: readonly DeclinedCall[];
  /** Whether a call of the run has reached its tool. */
  readonly ran: boolean;
  /** How often a call has reached a tool that has a limit. */
  callsOf(name: string): number;
  addAnswer(answer: Answer, asked: ModelStepValue): void;
  /** Replaces the calls of the open turn. */
  setOpen(open: readonly TurnCall[]): void;
  addDecided(approvalIds: Iterable<string>): void;
  addDeclined(call: DeclinedCall): void;
  addWork(elapsedMs: number, warnings: readonly RunWarning[]): void;
  /** Moves the settled calls of the open turn into the history, in call order. */
  closeTurn(): void;
  state(): LoopState;
}

/** Opens the books of a run where its state says. One growing list each: a copy per turn would cost more each turn. */
export function createLedger(initial: LoopState, rules: LoopRules): Ledger {
  const items = [...initial.items];
  const outcomes = [...initial.outcomes];
  const warnings = [...initial.warnings];
  const calls = new Map(Object.entries(initial.calls));
  const declined = new Set(initial.declined);
  const declinedCalls = [...(initial.declinedCalls ?? [])];
  const decided = new Set(initial.decided);
  const usedIds = new Set(items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : [])));
  const progress = createProgress({ ...initial, seen: seenCalls(initial) }, rules.mayRepeat);
  let { text, turns, usage, workedMs, open } = initial;
  const advertised = initial.advertised ?? {};

  const addWarnings = (more: readonly RunWarning[]): void => {
    warnings.push(...more.slice(0, Math.max(0, MAX_WARNINGS - warnings.length)));
  };

  return {
    items,
    advertised,
    progress,
    usedIds,
    declined,
    declinedCalls,
    get turns() {
      return turns;
    },
    get usage() {
      return usage;
    },
    get workedMs() {
      return workedMs;
    },
    get open() {
      return open;
    },
    get ran() {
      return outcomes.some(hasReached);
    },
    callsOf: (name) => calls.get(name) ?? 0,
    addAnswer(answer, asked) {
      turns += 1;
      for (const item of answer.items) items.push(item);
      text = answer.text;
      usage = addUsage(usage, asked.response.usage);
      open = answer.calls.map((call) => ({ call, outcome: null }));
    },
    setOpen(next) {
      open = next;
    },
    addDecided(approvalIds) {
      for (const id of approvalIds) decided.add(id);
    },
    addDeclined({ contractDigest, argumentsDigest }) {
      declinedCalls.push({ contractDigest, argumentsDigest });
    },
    addWork(elapsedMs, more) {
      workedMs += Math.max(0, elapsedMs);
      addWarnings(more);
    },
    closeTurn() {
      const settled = open.flatMap(({ call, outcome }) => (outcome === null ? [] : [{ call, outcome }]));
      open = [];
      if (settled.length === 0) return;
      const counts = progress.note(settled);
      settled.forEach(({ call, outcome }, index) => {
        const item = toResultItem(outcome);
        items.push(repeatNote(item, counts[index] ?? 1, rules.maxRepeats));
        outcomes.push(outcome);
        if (hasReached(outcome) && Object.hasOwn(rules.maxCallsPerTool, call.name))
          calls.set(call.name, (calls.get(call.name) ?? 0) + 1);
        if (outcome.reason === 'approval_declined') declined.add(callKey(call));
      });
    },
    state: () => ({
      runId: initial.runId,
      principal: initial.principal,
      items,
      text,
      turns,
      workedMs,
      usage,
      open,
      outcomes,
      advertised: initial.advertised,
      calls: Object.fromEntries(calls),
      seen: progress.entries(),
      staleTurns: progress.staleTurns,
      fruitlessTurns: progress.fruitlessTurns,
      declined: [...declined],
      ...(declinedCalls.length === 0 ? {} : { declinedCalls }),
      decided: [...decided],
      warnings,
    }),
  };
}

function seenCalls({
  items,
  outcomes,
  seen,
}: LoopState): readonly (SettledCall & { readonly count: number })[] {
  if (seen.length === 0) return [];
  const calls = new Map(items.flatMap((item) => (item.kind === 'tool-call' ? [[item.callId, item]] : [])));
  const ended = new Map(outcomes.map((outcome) => [outcome.callId, outcome]));
  return seen.flatMap(({ callId, count }) => {
    const call = calls.get(callId);
    const outcome = ended.get(callId);
    return call === undefined || outcome === undefined ? [] : [{ call, outcome, count }];
  });
}
