import type { ToolChoice } from '@toolgate/model';
import { namesOfChoice } from './choice-names.ts';

/** What is asked for once a demanded call has run. */
export interface ReleasedChoice {
  readonly toolChoice: ToolChoice;
  /** The one tool that is still offered; absent where the choice itself can say what it leaves. */
  readonly only?: string;
}

/**
 * Whether a choice demands a call in every turn of a run that none of the tools it leaves would end: such a run could
 * only reach a limit.
 *
 * @param ends - Tools whose completion ends the run.
 */
export function isForced(choice: ToolChoice | null | undefined, ends: ReadonlySet<string>): boolean {
  if (choice?.mode !== 'named' && choice?.mode !== 'any') return false;
  const names = namesOfChoice(choice);
  return names === undefined ? ends.size === 0 : !names.some((name) => ends.has(name));
}

/** The same choice without its demand. It leaves no more tools than before, in a form that every server understands. */
export function releasedChoice(choice: ToolChoice | null | undefined): ReleasedChoice {
  if (choice?.mode === 'named') return { toolChoice: { mode: 'auto' }, only: choice.name };
  const allowed = choice?.mode === 'any' ? choice.allowed : undefined;
  return { toolChoice: allowed === undefined ? { mode: 'auto' } : { mode: 'auto', allowed } };
}
