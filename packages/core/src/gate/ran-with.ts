import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { Invocation } from '../tool/invocation.ts';
import { toolOutput } from '../tool/make-output.ts';
import { cutText } from './cut-text.ts';
import type { OutcomeExtras } from './make-outcome.ts';
import { type PublishingCall, redactFor } from './publish-output.ts';

/** What is needed of a call to say what a reviewer changed. */
interface ReviewedCall<Context> extends PublishingCall<Context> {
  readonly invocation: Invocation;
  /** Whether its handler has not been called. */
  readonly waiting: boolean;
}

/** Enough to see what became of a call; the rest is in the audit of whoever changed it. */
const MAX_BYTES = 2_000;

/**
 * The arguments that a call ran with after a reviewer changed them, as a text that the model may read. Without it the
 * model takes what it wrote for done.
 *
 * @returns `undefined` where the text cannot be redacted.
 */
export function ranWith<Context>(run: ReviewedCall<Context>): string | undefined {
  try {
    const value = run.invocation.arguments();
    return cutText(redactFor(run, toolOutput({ parts: [{ kind: 'json', value }] })).text(), MAX_BYTES);
  } catch (thrown) {
    ignoreThrown(thrown);
    return undefined;
  }
}

/** What an outcome without a result says of a reviewer's changes; what did not run, ran with nothing. */
export function editOf<Context>(run: ReviewedCall<Context>): Pick<OutcomeExtras, 'edited' | 'ranWith'> {
  if (!run.changes.edited) return { edited: false };
  return run.waiting ? { edited: true } : { edited: true, ranWith: ranWith(run) };
}
