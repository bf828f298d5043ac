import { canonicalJson, cloneJson, type JsonValue } from '@toolgate/core';
import { edits } from '../behaviour/edits.ts';
import { eventLoopTurn } from '../clock/event-loop-turn.ts';
import type { AdvertisedTool, CallReport, CorpusAdapter } from './corpus-adapter.ts';
import type { CorpusCase } from './corpus-case.ts';
import { type Driven, drive } from './drive.ts';
import { errorCodes } from './error-codes.ts';
import { type Fault, judgeExecutions, judgeReport } from './judge.ts';
import { behaviour, type PreparedCase, prepareCase } from './prepare-case.ts';
import { type Turn, turnsOf } from './turns-of.ts';

/** A case and what has been found wrong with it so far. */
interface CaseRecord {
  readonly item: CorpusCase;
  readonly prepared: PreparedCase;
  readonly faults: Fault[];
}

/** One case being put to one system. */
interface CaseRun<System> extends CaseRecord {
  readonly adapter: CorpusAdapter<System>;
  readonly drive: <Value>(start: () => Value | Promise<Value>) => Promise<Driven<Value>>;
  /** From here on the run is cancelled as soon as a handler runs. */
  readonly armAbort: () => void;
}

function startRun<System>(
  item: CorpusCase,
  adapter: CorpusAdapter<System>,
  patienceMs: number,
): CaseRun<System> {
  let armed = false;
  const time = adapter.time ?? 'real';
  const abortWhileRunning = (): void => {
    if (armed && prepared.recorder.running > 0) prepared.abort();
  };
  const prepared: PreparedCase = prepareCase(item, time, () => {
    // With a clock of its own, nobody else finds out that a handler has started.
    if (time === 'real') void eventLoopTurn().then(abortWhileRunning);
  });
  const options = { clock: prepared.clock, patienceMs, beforeTimeMoves: abortWhileRunning };
  return {
    item,
    adapter,
    prepared,
    faults: [],
    drive: (start) => drive((async () => start())(), options),
    armAbort: () => {
      armed = true;
    },
  };
}

const blame = (run: CaseRecord, text: string, level: Fault['level'] = 'coarse'): void => {
  run.faults.push({ level, text });
};

function judgeRefusal(run: CaseRecord, thrown: unknown): void {
  const { definition, code } = run.item;
  const codes = errorCodes(thrown);
  const found = codes.length === 0 ? String(thrown).slice(0, 200) : codes.join(', caused by ');
  if (definition !== 'refused') blame(run, `refuses a good definition: ${found}`);
  else if (code !== undefined && !codes.includes(code))
    blame(run, `refuses with ${found}, not ${code}`, 'strict');
  if (run.prepared.recorder.executions.length > 0) blame(run, 'runs a tool of a refused definition');
}

/** Reports for each call of a turn, or why there are none. */
function reportsOf(driven: Driven<readonly CallReport[]>, turn: Turn): readonly CallReport[] | string {
  switch (driven.kind) {
    case 'hung':
      return 'does not settle';
    case 'rejected': {
      const [reason] = errorCodes(driven.thrown);
      const ended: CallReport = {
        verdict: 'ended',
        ...(reason === undefined ? {} : { reason }),
        modelText: '',
      };
      return turn.calls.map(() => ended);
    }
    case 'resolved':
      return driven.value.length === turn.calls.length
        ? driven.value
        : `gives ${driven.value.length} reports for ${turn.calls.length} calls`;
  }
}

async function propose<System>(
  run: CaseRun<System>,
  system: System,
  turn: Turn,
): Promise<readonly CallReport[]> {
  const { adapter, prepared } = run;
  const [first] = turn.calls;
  if (first?.resume === undefined || adapter.resume === undefined) {
    return adapter.execute(
      system,
      turn.calls.map(({ proposal }) => proposal),
    );
  }
  await prepared.clock?.advance(first.resume.afterMs ?? 0);
  return [await adapter.resume(system, first.proposal, first.resume)];
}

async function executeTurn<System>(run: CaseRun<System>, system: System, turn: Turn): Promise<void> {
  const { recorder } = run.prepared;
  const before = recorder.executions.length;
  const reports = reportsOf(await run.drive(() => propose(run, system, turn)), turn);
  if (typeof reports === 'string') blame(run, reports);
  else {
    for (const [index, { proposal, expect }] of turn.calls.entries()) {
      const report = reports[index];
      if (report !== undefined) run.faults.push(...judgeReport(proposal, expect, report));
    }
  }
  run.faults.push(...judgeExecutions(turn.calls, recorder.executions.slice(before)));
}

const shown = ({ name, description, inputSchema }: AdvertisedTool): JsonValue =>
  cloneJson({ name, description, inputSchema } as JsonValue);

async function executeTurns<System>(run: CaseRun<System>, system: System): Promise<void> {
  const { advertised, edit, cancel } = run.item;
  const offered = (): readonly AdvertisedTool[] => run.adapter.advertised?.(system) ?? [];
  if (edit !== undefined) {
    const before = canonicalJson(offered().map(shown));
    behaviour('edit', edits, edit)(run.prepared.setup.tools);
    if (canonicalJson(offered().map(shown)) !== before)
      blame(run, 'offers what was edited after registration');
  }
  if (advertised !== undefined) {
    const names = offered().map(({ name }) => name);
    const [found, due] = [names, advertised].map((list) =>
      list.length === 0 ? 'nothing' : list.toSorted().join(', '),
    );
    if (found !== due) blame(run, `offers ${found}, not ${due}`);
  }
  if (cancel === 'before') run.prepared.abort();
  if (cancel === 'during') run.armAbort();
  for (const turn of turnsOf(run.item)) await executeTurn(run, system, turn);
}

async function endCase<System>(run: CaseRun<System>, system: System): Promise<void> {
  const { recorder, release, clock } = run.prepared;
  const before = recorder.executions.length;
  release();
  await eventLoopTurn();
  const closed = await run.drive(async () => run.adapter.close?.(system));
  if (closed.kind === 'hung') blame(run, 'does not close');
  // What waits on the clock is let go as well, so that nothing of this case runs into the next one.
  for (let timers = 0; clock !== undefined && timers < 1_000 && clock.pending > 0; timers += 1) {
    await clock.advanceToNext();
  }
  if (recorder.executions.length > before) blame(run, 'runs a tool after its calls were answered');
  const { maxOverlap, order } = run.item;
  if (maxOverlap !== undefined && recorder.overlap > maxOverlap) {
    blame(run, `runs ${recorder.overlap} handlers at the same time, not ${maxOverlap}`);
  }
  const numbers = recorder.executions.map(({ received = '' }) => /"n":(\d+)/.exec(received)?.[1]);
  if (order !== undefined && numbers.join() !== order.join()) {
    blame(run, `starts the calls in the order ${numbers.join()}, not ${order.join()}`);
  }
}

/**
 * Puts one case to a system.
 *
 * @param patienceMs - How long a system that keeps its own time may take for each step.
 * @returns What was wrong; empty when nothing was.
 */
export async function runCase<System>(
  item: CorpusCase,
  adapter: CorpusAdapter<System>,
  patienceMs: number,
): Promise<readonly Fault[]> {
  const run = startRun(item, adapter, patienceMs);
  const registered = await run.drive(() => adapter.register(run.prepared.setup));
  if (registered.kind === 'hung') {
    blame(run, 'does not settle when tools are registered');
    run.prepared.release();
  } else if (registered.kind === 'rejected') judgeRefusal(run, registered.thrown);
  else {
    if (item.definition === 'refused') blame(run, 'takes a definition that has to be refused');
    else await executeTurns(run, registered.value);
    await endCase(run, registered.value);
  }
  return run.faults;
}
