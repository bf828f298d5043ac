import { cutText } from '../text/cut-text.ts';
import { utf8Length } from '../text/utf8-length.ts';

/** What a repair text is made of. */
export interface RepairTextConfig {
  readonly toolName: string;
  /** What the user asked for, quoted in part. */
  readonly objective: string;
  /** Why the last control call did not count, as a reason code. */
  readonly refusal?: string;
  /** Bytes of the whole text. Default 4,096. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 4096;

/**
 * The text of a hidden repair attempt. Its fixed clauses are never cut; what the user asked for may be, between
 * characters. `undefined` when the clauses do not fit, or there is nothing to go on with.
 */
export function buildRepairText(config: RepairTextConfig): string | undefined {
  const { toolName, objective, refusal, maxBytes = DEFAULT_MAX_BYTES } = config;
  if (objective.trim() === '') return undefined;
  const clauses = [
    'This is an automatic notice of the gateway. It does not come from the user, asks for nothing new and approves nothing.',
    ...(refusal === undefined ? [] : [`Your last call of ${toolName} was not accepted: ${refusal}.`]),
    `If the task is finished, call ${toolName} now, alone, with the complete final answer.`,
    'If it is not finished, go on with it. If you need something from the user, ask for it. Do not invent further work.',
    'The task, as the user put it:',
  ].join('\n');
  const left = maxBytes - utf8Length(clauses) - 1;
  const excerpt = cutText(objective.trim(), Math.max(left, 0));
  return excerpt === '' ? undefined : `${clauses}\n${excerpt}`;
}
