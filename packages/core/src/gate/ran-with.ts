import { toolOutput } from '../tool/make-output.ts';
import type { CallRun } from './call-run.ts';
import { cutText } from './cut-text.ts';
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
