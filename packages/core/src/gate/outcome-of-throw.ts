import { ContractError } from '../tool/contract-error.ts';
import { findThrown } from '../tool/find-thrown.ts';
import { textOutput, toolOutput } from '../tool/make-output.ts';
import type { OutputPart, ToolOutput } from '../tool/tool-output.ts';
import type { CallRun } from './call-run.ts';
import { GateError } from './gate-error.ts';
import type { UnsuccessfulReason } from './make-outcome.ts';
import { reasonEntry } from './reason.ts';
import { checkText, doubtfulOutput } from './unknown-text.ts';

/** What a throw of a handler comes to: an outcome, or the end of the run. */
export type ThrowVerdict =
  | {
      readonly kind: 'outcome';
      readonly reason: UnsuccessfulReason;
      readonly output: ToolOutput | undefined;
      readonly cause: unknown;
    }
  | { readonly kind: 'end'; readonly error: GateError; readonly reason: UnsuccessfulReason };

const INCOMPLETE =
  'The tool stopped before it could say how the call ended; its effects are unknown. It observed:';

/** Reads what a handler threw. Only what its author meant for the model is public; everything else is a cause. */
export function readThrow<Context>(run: CallRun<Context>, thrown: unknown): ThrowVerdict {
  const found = findThrown(thrown);
  switch (found.kind) {
    case 'tool-error':
      return outcome('tool_error', textOutput(found.text), thrown);
    case 'failure':
      return outcome(
        found.failure === 'failed' ? 'tool_failure' : 'tool_rejected',
        found.output,
        found.diagnosis ?? thrown,
      );
    case 'call-error': {
      // The text around the evidence is made of what was mended already.
      run.change({ mended: found.evidence.mended });
      const check = run.session.checkFor(run.entry);
      return found.interrupted
        ? outcome('interrupted', markInterrupted(found.evidence, check), thrown)
        : outcome('call_error', withEvidence(INCOMPLETE, found.evidence, check), thrown);
    }
    case 'permanent':
      return end('gate/permanent', 'A tool ended the run.', found.cause, run, 'handler_error');
    case 'authorization':
      return end(
        'gate/authorization',
        'An authorizer could not decide; the run ends.',
        found.diagnosis,
        run,
        // A handler that asks a policy itself may have done something before.
        'handler_error',
      );
    case 'other': {
      const reason = reasonOf(run, thrown);
      return outcome(reason, doubtfulOutput(reason, run.session.checkFor(run.entry)), thrown);
    }
  }
}

function reasonOf<Context>(
  run: CallRun<Context>,
  thrown: unknown,
): 'cancelled_after_dispatch' | 'output_invalid' | 'handler_error' {
  if (run.cancelled && isCancellation(thrown, run.context.signal.reason)) return 'cancelled_after_dispatch';
  return ContractError.is(thrown) && thrown.code === 'tool/output-invalid'
    ? 'output_invalid'
    : 'handler_error';
}

/** Causes that are looked at. */
const MAX_CAUSES = 8;

/** Whether an error says no more than that the call was cancelled. Then nobody knows how far it came. */
function isCancellation(thrown: unknown, reason: unknown): boolean {
  let error = thrown;
  try {
    for (let depth = 0; depth < MAX_CAUSES; depth += 1) {
      if (error === reason) return true;
      if (typeof error !== 'object' || error === null) return false;
      if (Reflect.get(error, 'name') === 'AbortError') return true;
      error = Reflect.get(error, 'cause');
    }
  } catch {
    // An error that cannot be read is not known to be a cancellation.
  }
  return false;
}

/** The fixed text of the reason, and what was observed where there is anything. */
function markInterrupted(evidence: ToolOutput, check: string | undefined): ToolOutput | undefined {
  if (evidence.byteSize === 0) return doubtfulOutput('interrupted', check);
  const { text = '' } = reasonEntry('interrupted');
  return withEvidence(`${text} It observed:`, evidence, check);
}

function withEvidence(head: string, evidence: ToolOutput, check: string | undefined): ToolOutput {
  const hint: readonly OutputPart[] = check === undefined ? [] : [{ kind: 'text', text: checkText(check) }];
  return toolOutput({ parts: [{ kind: 'text', text: head }, ...evidence.parts, ...hint] });
}

function outcome(reason: UnsuccessfulReason, output: ToolOutput | undefined, cause: unknown): ThrowVerdict {
  return { kind: 'outcome', reason, output, cause };
}

function end<Context>(
  code: 'gate/permanent' | 'gate/authorization',
  message: string,
  cause: unknown,
  run: CallRun<Context>,
  reason: UnsuccessfulReason,
): ThrowVerdict {
  return { kind: 'end', error: new GateError(code, message, { cause, callId: run.call.id }), reason };
}
