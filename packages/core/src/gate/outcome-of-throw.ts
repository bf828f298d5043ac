import { ContractError } from '../tool/contract-error.ts';
import { findThrown } from '../tool/find-thrown.ts';
import { textOutput, toolOutput } from '../tool/make-output.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { CallRun } from './call-run.ts';
import { GateError } from './gate-error.ts';
import type { UnsuccessfulReason } from './make-outcome.ts';
import { reasonEntry } from './reason.ts';

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
    case 'call-error':
      // The text around the evidence is made of what was mended already.
      run.change({ mended: found.evidence.mended });
      return found.interrupted
        ? outcome('interrupted', markInterrupted(found.evidence), thrown)
        : outcome('call_error', markIncomplete(found.evidence), thrown);
    case 'permanent':
      return end('gate/permanent', 'A tool ended the run.', found.cause, run, 'handler_error');
    case 'authorization':
      return end(
        'gate/authorization',
        'An authorizer could not decide; the run ends.',
        found.diagnosis,
        run,
        'not_started',
      );
    case 'other':
      return outcome(reasonOf(run, thrown), undefined, thrown);
  }
}

function reasonOf<Context>(run: CallRun<Context>, thrown: unknown): UnsuccessfulReason {
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

function markIncomplete(evidence: ToolOutput): ToolOutput {
  return toolOutput({ parts: [{ kind: 'text', text: INCOMPLETE }, ...evidence.parts] });
}

/** The fixed text of the reason, and what was observed where there is anything. */
function markInterrupted(evidence: ToolOutput): ToolOutput | undefined {
  if (evidence.byteSize === 0) return undefined;
  const { text = '' } = reasonEntry('interrupted');
  return toolOutput({ parts: [{ kind: 'text', text: `${text} It observed:` }, ...evidence.parts] });
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
