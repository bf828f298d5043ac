import { AgentError } from './agent-error.ts';

/**
 * Refuses what is misspelt: a limit, a signal or a rule of that name would be none, in silence.
 *
 * @param where - What the fields belong to, in words.
 * @throws AgentError `agent/options-invalid` that names the field.
 */
export function refuseUnknown(where: string, value: object, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null)
    throw new AgentError('agent/options-invalid', `${where} is an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, 64));
  throw new AgentError(
    'agent/options-invalid',
    `${where} has no field ${shown}; it takes ${known.join(', ')}`,
  );
}
