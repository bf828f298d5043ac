import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { ContractError } from '../tool/contract-error.ts';
import { outputOf } from '../tool/make-output.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { CallRun } from './call-run.ts';
import type { GateEntry } from './gate-entry.ts';
import { isThenable } from './is-thenable.ts';
import { isWithin, limitOutput } from './limit-output.ts';
import { completed, type UnsuccessfulReason } from './make-outcome.ts';
import type { Truncation } from './outcome.ts';
import { readThrow } from './outcome-of-throw.ts';
import { redactFor, unshown } from './publish-output.ts';
import { ranWith } from './ran-with.ts';
import { doubtfulOutput } from './unknown-text.ts';

/**
 * A handler returned: checks its result, redacts it, cuts it to its budget, and settles the call. Never throws: it is
 * the last to hear of a promise.
 */
export function takeResult<Context>(run: CallRun<Context>, entry: GateEntry<Context>, value: unknown): void {
  try {
    if (run.settled) run.endLate('fulfilled', value);
    else if (run.running) settleResult(run, entry, value);
  } catch (cause) {
    refuseResult(run, entry, 'output_invalid', cause);
  }
}

/**
 * A handler threw: settles the call, or ends the run. Never throws. What was thrown may be a promise, by a slip: nobody else takes
 * what becomes of it.
 */
export function takeThrow<Context>(run: CallRun<Context>, entry: GateEntry<Context>, thrown: unknown): void {
  ignoreThrown(thrown);
  try {
    if (run.settled) run.endLate('rejected', thrown);
    else if (run.running) settleThrow(run, entry, thrown);
  } catch (cause) {
    run.refuse('handler_error', undefined, { cause });
  }
}

function settleResult<Context>(run: CallRun<Context>, entry: GateEntry<Context>, value: unknown): void {
  run.beginFinish();
  // Whatever the tool gave, it is a checked output from here on.
  const output = outputOf(value as ToolOutput);
  checkSchema(entry, output);
  const published = redact(run, output);
  if (isWithin(published, entry.limits)) complete(run, published);
  else if (entry.overflow === 'fail') refuseResult(run, entry, 'output_too_large');
  else settleCut(run, entry, output, published);
}

/** The handler has done its work all the same. */
function refuseResult<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  reason: 'output_invalid' | 'output_too_large',
  cause?: unknown,
): void {
  run.refuse(reason, doubtfulOutput(reason, run.session.checkFor(entry)), { cause });
}

function settleThrow<Context>(run: CallRun<Context>, entry: GateEntry<Context>, thrown: unknown): void {
  const verdict = readThrow(run, thrown);
  run.beginFinish();
  if (verdict.kind === 'end') {
    run.fail(verdict.error, verdict.reason);
    return;
  }
  const { reason, output, cause } = verdict;
  run.refuse(reason, output === undefined ? undefined : publish(run, entry, output, reason), { cause });
}

function checkSchema<Context>(entry: GateEntry<Context>, output: ToolOutput): void {
  const issues = entry.binding.contract.checkOutput(output);
  if (issues === undefined) return;
  const pointer = issues[0]?.pointer ?? '';
  throw new ContractError('tool/output-invalid', 'The result breaks the output schema.', { pointer });
}

function redact<Context>(run: CallRun<Context>, output: ToolOutput): ToolOutput {
  if (output.mended > 0) run.change({ mended: output.mended });
  return redactFor(run, output);
}

/** Text that an author published with an error. Where it cannot be redacted, a fixed text takes its place. */
function publish<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  output: ToolOutput,
  reason: UnsuccessfulReason,
): ToolOutput {
  try {
    const published = redact(run, output);
    return isWithin(published, entry.limits) ? published : limitOutput(published, entry.limits);
  } catch (thrown) {
    ignoreThrown(thrown);
    return unshown(reason, 'What the tool said cannot be shown.');
  }
}

function complete<Context>(run: CallRun<Context>, published: ToolOutput, truncated?: Truncation): void {
  const { changes } = run;
  const notes = changes.edited ? { ...changes, ranWith: ranWith(run) } : changes;
  run.settle(completed(run.call, published, run.invocation.filled, notes, truncated));
}

/** A handle that can be shown to a model and be part of a later argument. */
const HANDLE = /^[!-~]{1,200}$/;

/** Gives what fits, and keeps the whole where there is a store. The result is safe already; a store only adds a handle. */
function settleCut<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  output: ToolOutput,
  published: ToolOutput,
): void {
  const settle = (handle: string | undefined): void => {
    if (run.settled) return;
    const note = handle === undefined ? undefined : `[The whole result is kept under the handle ${handle}]`;
    const truncated = Object.freeze({
      originalBytes: output.byteSize,
      ...(handle === undefined ? {} : { handle }),
    });
    complete(run, limitOutput(published, entry.limits, note), truncated);
  };
  const { session, call } = run;
  const store = session.core.settings.resultStore;
  if (store === undefined) {
    settle(undefined);
    return;
  }
  const { grace, patience } = session.core;
  run.startTimer(session.over ? grace : patience, () => settle(undefined));
  try {
    const { principal } = session;
    const answer: unknown = store.put({
      sessionId: session.id,
      callId: call.id,
      tool: entry.name,
      contractDigest: entry.binding.contract.digest,
      ...(principal === undefined ? {} : { principal }),
      output,
    });
    if (!isThenable(answer)) settle(readHandle(answer));
    // Adopted: a foreign promise may misbehave.
    else
      Promise.resolve(answer).then(
        (later) => settle(readHandle(later)),
        (thrown: unknown) => {
          ignoreThrown(thrown);
          settle(undefined);
        },
      );
  } catch (thrown) {
    ignoreThrown(thrown);
    settle(undefined);
  }
}

function readHandle(value: unknown): string | undefined {
  return typeof value === 'string' && HANDLE.test(value) ? value : undefined;
}
