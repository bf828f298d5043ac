import type { ToolChoice } from '@toolgate/model';

/** The tools that a choice leaves, by name; `undefined` where it leaves all. A provider need not keep to it. */
export function namesOfChoice(choice: ToolChoice | null | undefined): readonly string[] | undefined {
  if (!choice || choice.mode === 'foreign') return undefined;
  if (choice.mode === 'none') return [];
  return choice.mode === 'named' ? [choice.name] : choice.allowed && [...choice.allowed];
}
