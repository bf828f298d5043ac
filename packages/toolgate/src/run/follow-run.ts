import type { AgentEvent, RunResult } from '@toolgate/agent';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { createShowEvent } from './show-event.ts';

/** Exit code of a run that waits for a decision. */
export const SUSPENDED_EXIT = 3;

/**
 * Prints the events of a run as they come, as text or as JSON lines.
 *
 * @returns The result, when the run has ended.
 */
export async function followRun(
  events: AsyncIterable<AgentEvent>,
  { json }: { readonly json: boolean },
  io: CliIo,
): Promise<RunResult> {
  const show = createShowEvent(createPaint(io.stdout, io.env));
  let result: RunResult | undefined;
  for await (const event of events) {
    const text = json ? `${jsonText(event)}\n` : show(event);
    if (text !== '') await io.stdout.write(text);
    if (event.kind === 'run-end') result = event.result;
  }
  if (result === undefined) throw new Error('A run ended without its last event.');
  return result;
}

/** The exit code that says how a run ended. */
export function exitCodeOf({ stopReason }: RunResult): number {
  if (stopReason === 'answer' || stopReason === 'tool_stop') return 0;
  return stopReason === 'suspended' ? SUSPENDED_EXIT : 1;
}
