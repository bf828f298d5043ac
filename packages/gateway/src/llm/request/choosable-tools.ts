import type { ToolChoice } from '@toolgate/model';

/**
 * The names of the tools that a client's choice lets the model call; `undefined` where the choice leaves them all, or
 * only its own protocol understands it. A provider, or a wire that cannot say the choice, need not keep to it.
 */
export function choosableTools(choice: ToolChoice | null | undefined): ReadonlySet<string> | undefined {
  if (!choice || choice.mode === 'foreign') return undefined;
  if (choice.mode === 'none') return new Set();
  if (choice.mode === 'named') return new Set([choice.name]);
  return choice.allowed && new Set(choice.allowed);
}
