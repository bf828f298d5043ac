import { canonicalJson, REASONS, type ReasonEntry, type ToolCall } from '@toolgate/core';
import type { Execution } from './case-recorder.ts';
import { type CallReport, VERDICTS } from './corpus-adapter.ts';
import type { CallExpectation } from './corpus-case.ts';
import { textOf } from './text-spec.ts';
import type { ProposedCall } from './turns-of.ts';

/** One way in which a system missed the right outcome. */
export interface Fault {
  /** `coarse`: something wrong ran, or the model was told or shown what it must not be. `strict`: less than exact. */
  readonly level: 'coarse' | 'strict';
  /** The id of the call it is about, shortened and escaped; absent when it is about the case. */
  readonly callId?: string;
  readonly text: string;
}

const fixedTexts: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries<ReasonEntry>(REASONS).map(([reason, { text }]) => [reason, text]),
);
// Ids are part of the trouble: some are huge, some would act on a terminal.
const shortId = ({ id }: ToolCall): string => JSON.stringify(id.slice(0, 40)).slice(1, -1);
const encoder = new TextEncoder();

/** What is wrong with the report on one call. */
export function judgeReport(call: ToolCall, expect: CallExpectation, report: CallReport): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (level: Fault['level'], text: string): void => {
    faults.push({ level, callId: shortId(call), text });
  };
  const { modelText, record = '' } = report;
  const verdict = VERDICTS[expect.kind];
  if (report.verdict !== verdict) fault('coarse', `is ${report.verdict}, not ${verdict}`);
  for (const secret of (expect.modelMustNotSee ?? []).map(textOf)) {
    if (modelText.includes(secret)) fault('coarse', 'shows the model what it must not see');
    if (record.includes(secret)) fault('coarse', 'keeps in its record what must not be in it');
  }
  const bytes = encoder.encode(modelText).length;
  if (bytes > (expect.maxModelBytes ?? Number.POSITIVE_INFINITY)) {
    fault('coarse', `shows the model ${bytes} bytes, more than ${expect.maxModelBytes}`);
  }
  if (!modelText.isWellFormed()) fault('coarse', 'shows the model half of a surrogate pair');
  if (report.reason !== expect.reason)
    fault('strict', `has the reason ${report.reason}, not ${expect.reason}`);
  if (expect.modelText !== undefined && modelText !== expect.modelText) {
    fault('strict', `says ${JSON.stringify(modelText.slice(0, 200))}`);
  }
  for (const text of expect.modelSees ?? []) {
    if (!modelText.includes(text)) fault('strict', `does not say ${JSON.stringify(text)}`);
  }
  const fixed = fixedTexts.get(expect.reason);
  // A case that says the whole text may say another one: some outcomes explain more than their reason does.
  if (fixed !== undefined && expect.modelText === undefined && !modelText.startsWith(fixed)) {
    fault('strict', `does not begin with the fixed text of ${expect.reason}`);
  }
  return faults;
}

function take<Item>(items: Item[], matches: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(matches);
  return index < 0 ? undefined : items.splice(index, 1)[0];
}

/** What is wrong with the executions that one turn brought about, whatever the system says about them. */
export function judgeExecutions(
  calls: readonly ProposedCall[],
  executions: readonly Execution[],
): readonly Fault[] {
  const faults: Fault[] = [];
  const names = new Set([
    ...executions.map(({ tool }) => tool),
    ...calls.map(({ proposal }) => proposal.name),
  ]);
  for (const name of names) {
    const due = calls.filter(({ proposal, expect }) => proposal.name === name && expect.ran).length;
    const ran = executions.filter(({ tool }) => tool === name).length;
    if (ran !== due)
      faults.push({
        level: 'coarse',
        text: `${JSON.stringify(name.slice(0, 64))} ran ${ran} times, not ${due}`,
      });
  }
  const left = [...executions];
  for (const { proposal, expect } of calls) {
    if (!expect.ran || expect.received === undefined) continue;
    const due = canonicalJson(expect.received);
    const found = take(left, ({ tool, received }) => tool === proposal.name && received === due);
    if (found === undefined) {
      faults.push({
        level: 'coarse',
        callId: shortId(proposal),
        text: `its handler never got ${due.slice(0, 200)}`,
      });
    }
  }
  return faults;
}
