import { AgentError } from './agent-error.ts';
import { refuseUnknown } from './refuse-unknown.ts';

const PLACE = 'call.toolChoice';
const LISTED: readonly unknown[] = ['auto', 'none', 'any'];

/**
 * Checks the form of a choice of tools. The word of a protocol in its place (`'none'`), or a misspelt member, would be no
 * choice at all, and leave every tool.
 *
 * @throws AgentError `agent/options-invalid` that names what may stand there.
 */
export function checkChoice(choice: unknown): void {
  if (choice === undefined || choice === null) return;
  if (typeof choice !== 'object' || Array.isArray(choice))
    throw invalid(`is an object, such as { mode: 'none' }`);
  const { mode, name, allowed } = choice as { mode?: unknown; name?: unknown; allowed?: unknown };
  if (mode === 'foreign') {
    refuseUnknown(PLACE, choice, ['mode', 'protocol', 'value']);
    return;
  }
  if (mode === 'named') {
    refuseUnknown(PLACE, choice, ['mode', 'name']);
    if (typeof name !== 'string') throw invalid('names its tool: { mode, name }');
    return;
  }
  if (!LISTED.includes(mode)) throw invalid("has a mode: 'auto', 'none', 'any', 'named' or 'foreign'");
  refuseUnknown(PLACE, choice, ['mode', 'allowed']);
  if (allowed !== undefined && !Array.isArray(allowed)) throw invalid('allows a list of names');
}

function invalid(what: string): AgentError {
  return new AgentError('agent/options-invalid', `${PLACE} ${what}`);
}
