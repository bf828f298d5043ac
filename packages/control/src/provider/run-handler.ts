import {
  type Clock,
  followSignal,
  ignoreThrown,
  MAX_TIMER_MS,
  type Redactor,
  systemClock,
} from '@toolgate/core';
import { ControlError } from '../control-error.ts';
import type { CompletedCall } from './completed-call.ts';
import type { CheckedControlProvider, ControlMeta, ControlOutcome } from './control-tool-provider.ts';
import { validateCompletedCall } from './validate-completed-call.ts';
import { validateMeta } from './validate-meta.ts';
import { validateOutcome } from './validate-outcome.ts';

/** Milliseconds that a handler has, unless told otherwise. */
export const DEFAULT_HANDLER_TIMEOUT_MS = 10_000;

/** How a handler is run. */
export interface RunHandlerOptions {
  /** Ends the attempt: what the handler answers afterwards is dropped. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the handler counts as failed. Default 10,000; `'none'` waits as long as it takes. */
  readonly timeoutMs?: number | 'none';
  readonly clock?: Clock;
  /** Takes secrets out of the result before anybody gets it. */
  readonly redact?: Redactor;
  /** Gets what went wrong, for diagnosis; nothing of it is in any answer. */
  readonly report?: (fault: HandlerFault) => void;
}

/** Why a handler's answer does not count. */
export type HandlerFaultReason = 'handler_error' | 'handler_timeout' | 'outcome_invalid';

/** A fault with its cause, for diagnosis only. */
export interface HandlerFault {
  readonly reason: HandlerFaultReason;
  readonly cause: unknown;
}

/** What came of one handler: one truth, whatever comes later. */
export type HandlerResult =
  | { readonly kind: 'settled'; readonly outcome: ControlOutcome }
  | { readonly kind: 'failed'; readonly reason: HandlerFaultReason }
  /** The attempt was over first. */
  | { readonly kind: 'dropped' };

/**
 * Hands a captured call to its provider, once. Never rejects for what the handler does.
 *
 * @throws ControlError `control/call-invalid`, `control/meta-invalid`, `control/options-invalid`: the handler was not
 *   called.
 */
export async function runHandler(
  provider: CheckedControlProvider,
  call: CompletedCall,
  meta: ControlMeta,
  options: RunHandlerOptions = {},
): Promise<HandlerResult> {
  const given = validateCompletedCall(call, provider.spec.maxArgsBytes);
  const from = validateMeta(meta);
  const timeoutMs = checkTimeout(options.timeoutMs);
  const { signal, clock = systemClock } = options;
  if (signal?.aborted === true) {
    ignoreThrown(signal.reason);
    return DROPPED;
  }
  const controller = new AbortController();
  return await new Promise<HandlerResult>((resolve) => {
    let timer: unknown;
    let open = true;
    // Whatever comes first is the truth; all else is dropped without a word.
    const end = (result: HandlerResult, cause?: unknown): void => {
      ignoreThrown(cause);
      if (!open) return;
      open = false;
      unfollow?.();
      if (timer !== undefined) clock.clearTimer(timer);
      controller.abort();
      if (result.kind === 'failed') tell(options.report, { reason: result.reason, cause });
      resolve(result);
    };
    const drop = (): void => end(DROPPED);
    const unfollow = signal && followSignal(signal, drop);
    try {
      if (timeoutMs !== undefined) timer = clock.setTimer(() => end(TIMED_OUT), timeoutMs);
    } catch (thrown) {
      unfollow?.();
      ignoreThrown(thrown);
      throw thrown;
    }
    ask(provider, given, from, controller.signal).then(
      (outcome) => {
        try {
          end(Object.freeze({ kind: 'settled', outcome: judge(outcome, options.redact) }));
        } catch (cause) {
          end(INVALID, cause);
        }
      },
      (cause: unknown) => end(BROKEN, cause),
    );
  });
}

const DROPPED: HandlerResult = Object.freeze({ kind: 'dropped' });
const TIMED_OUT: HandlerResult = Object.freeze({ kind: 'failed', reason: 'handler_timeout' });
const BROKEN: HandlerResult = Object.freeze({ kind: 'failed', reason: 'handler_error' });
const INVALID: HandlerResult = Object.freeze({ kind: 'failed', reason: 'outcome_invalid' });

/** A handler that throws at once rejects like one that throws later. */
async function ask(
  provider: CheckedControlProvider,
  call: CompletedCall,
  meta: ControlMeta,
  signal: AbortSignal,
): Promise<ControlOutcome> {
  return await provider.handle(call, meta, { signal });
}

/** The outcome as it may go on: checked, without secrets, and checked again. */
function judge(outcome: ControlOutcome, redact: Redactor | undefined): ControlOutcome {
  const checked = validateOutcome(outcome);
  if (checked.kind === 'invalid' || redact === undefined) return checked;
  const redacted = redact(checked.resultText);
  // Of an async function, by a slip; it has no text.
  ignoreThrown(redacted);
  return validateOutcome({ ...checked, resultText: redacted.text });
}

function tell(report: RunHandlerOptions['report'], fault: HandlerFault): void {
  try {
    ignoreThrown(report?.(fault));
  } catch (thrown) {
    ignoreThrown(thrown);
    // Who listens for diagnosis cannot change what happened.
  }
}

/**
 * Milliseconds of a deadline, or `undefined` for none.
 *
 * @throws ControlError `control/options-invalid`.
 */
export function checkTimeout(timeoutMs: number | 'none' | undefined): number | undefined {
  if (timeoutMs === 'none') return undefined;
  const value = timeoutMs ?? DEFAULT_HANDLER_TIMEOUT_MS;
  if (Number.isSafeInteger(value) && value > 0 && value <= MAX_TIMER_MS) return value;
  throw new ControlError(
    'control/options-invalid',
    `timeoutMs must be a whole number from 1 to ${MAX_TIMER_MS}, or 'none'.`,
  );
}
