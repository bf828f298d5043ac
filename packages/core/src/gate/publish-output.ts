import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { textOutput } from '../tool/make-output.ts';
import type { ToolOutput } from '../tool/tool-output.ts';
import type { CallChanges } from './call-changes.ts';
import { type Reason, reasonEntry } from './reason.ts';
import { redactOutput } from './redact-output.ts';
import type { SessionState } from './session-state.ts';

/** What is needed of a call to publish something about it. */
export interface PublishingCall<Context> {
  readonly session: SessionState<Context>;
  readonly changes: CallChanges;
  /** Notes what was done to the call. */
  change(changes: Partial<CallChanges>): void;
}

/**
 * An output without what the gate's redactor looks for; how much that was is noted.
 *
 * @throws What the redactor throws; then nothing may be published.
 */
export function redactFor<Context>(run: PublishingCall<Context>, output: ToolOutput): ToolOutput {
  const { redact: redactor } = run.session.core.settings;
  if (redactor === undefined) return output;
  const redacted = redactOutput(output, redactor);
  if (redacted.count > 0) run.change({ redactions: run.changes.redactions + redacted.count });
  return redacted.output;
}

/**
 * A text that a schema, a validator or a reviewer wrote for the model: it may quote what the model must not read. Where
 * it cannot be redacted, a fixed text takes its place.
 */
export function publishText<Context>(run: PublishingCall<Context>, text: string, reason: Reason): ToolOutput {
  const output = textOutput(text);
  try {
    return redactFor(run, output);
  } catch (thrown) {
    ignoreThrown(thrown);
    return unshown(reason, 'What is wrong with the call cannot be shown.');
  }
}

/** The fixed text of a reason, or another one where it has none. */
export function unshown(reason: Reason, otherwise: string): ToolOutput {
  return textOutput(reasonEntry(reason).text ?? otherwise);
}
