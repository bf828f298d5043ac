import { toolOutput } from '../tool/make-output.ts';
import type { CallRun } from './call-run.ts';
import { cutText } from './cut-text.ts';
import type { OutcomeExtras } from './make-outcome.ts';
import { redactFor } from './publish-output.ts';

/** Enough to see what became of a call; the rest is in the audit of whoever changed it. */
const MAX_BYTES = 2_000;

/**
 * The arguments that a call ran with after a reviewer changed them, as a text that the model may read. Without it the
 * model takes what it wrote for done.
 *
 * @returns `undefined` where the text cannot be redacted.
 */
export function ranWith<Context>(run: CallRun<Context>): string | undefined {
  try {
    const value = run.invocation.arguments();
    return cutText(redactFor(run, toolOutput({ parts: [{ kind: 'json', value }] })).text(), MAX_BYTES);
  } catch {
    return undefined;
  }
}

/** What an outcome without a result says of a reviewer's changes; what did not run, ran with nothing. */
export function editOf<Context>(run: CallRun<Context>): Pick<OutcomeExtras, 'edited' | 'ranWith'> {
  if (!run.changes.edited) return { edited: false };
  return run.waiting ? { edited: true } : { edited: true, ranWith: ranWith(run) };
}
