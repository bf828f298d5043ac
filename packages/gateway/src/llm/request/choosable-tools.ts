import { isJsonObject, type JsonValue, readJson } from '@toolgate/core';
import { type ToolChoice, wholeName } from '@toolgate/model';
import { type Refusal, refuse } from '../../http/refusal.ts';
import type { ClientCall } from '../surfaces/read-call.ts';
import type { OfferedTools } from './offered-tools.ts';

/** What a client's choice lets the model call, by whole names. */
export type ChoosableTools = ReadonlySet<string> | 'absent' | undefined;

/**
 * The whole names of the tools that a client's choice lets the model call; `undefined` where the choice leaves them all,
 * or only its own protocol understands it. A provider, or a wire that cannot say the choice, need not keep to it.
 *
 * A name in a choice means the tool that has it outside of namespaces; else all that have it in one, unless the choice
 * says which.
 *
 * @returns `'absent'` where it demands a tool of a namespace that has no such tool.
 */
export function choosableTools(
  choice: ToolChoice | null | undefined,
  { names }: Pick<OfferedTools, 'names'>,
  client: Pick<ClientCall, 'body' | 'outline'>,
): ChoosableTools {
  if (!choice || choice.mode === 'foreign') return undefined;
  if (choice.mode === 'none') return new Set();
  const chosen = choice.mode === 'named' ? [choice.name] : choice.allowed;
  if (names.byName.size === 0) return chosen && new Set(chosen);
  if (chosen === undefined) return undefined;
  const namespaces = namespacesOf(client);
  const { byName, owners } = names;
  if (choice.mode === 'named' && namespaces[0] !== undefined) {
    const whole = wholeName(choice.name, namespaces[0]);
    return owners.get(whole) === namespaces[0] ? new Set([whole]) : 'absent';
  }
  const wholes = new Set<string>();
  // Many tools may have one name, and a choice may say it many times.
  const seen = new Set<string>();
  for (const [index, name] of chosen.entries()) {
    const namespace = namespaces[index];
    if (namespace !== undefined) wholes.add(wholeName(name, namespace));
    else if (!seen.has(name)) {
      seen.add(name);
      for (const whole of owners.get(name) === '' ? [name] : (byName.get(name) ?? [name])) wholes.add(whole);
    }
  }
  return wholes;
}

/** Refuses a request in which a name does not say which tool is meant. */
export function refuseNames(
  { names }: Pick<OfferedTools, 'names'>,
  choosable: ChoosableTools,
): Refusal | undefined {
  if (names.clash !== undefined) return refuse('tool_name_ambiguous', { pointer: names.clash });
  return choosable === 'absent' ? refuse('tool_unavailable', { pointer: '/tool_choice' }) : undefined;
}

/** The namespaces that the choice of a body names, entry by entry; no neutral form has them. */
function namespacesOf(client: Pick<ClientCall, 'body' | 'outline'>): readonly (string | undefined)[] {
  const choice = readChoice(client);
  if (!isJsonObject(choice)) return [];
  const { tools } = choice;
  return (Array.isArray(tools) ? (tools as readonly JsonValue[]) : [choice]).map((entry) => {
    const namespace = isJsonObject(entry) ? entry['namespace'] : undefined;
    return typeof namespace === 'string' && namespace !== '' ? namespace : undefined;
  });
}

function readChoice({ body, outline }: Pick<ClientCall, 'body' | 'outline'>): JsonValue | undefined {
  if (outline === undefined) {
    const whole = readJson(body, LENIENT);
    return isJsonObject(whole) ? whole['tool_choice'] : undefined;
  }
  const value = outline.body.entries.find(({ name }) => name === 'tool_choice')?.value;
  return value && readJson(body.subarray(value.start, value.end), LENIENT);
}

/** The body was read before by these rules. */
const LENIENT = Object.freeze({
  maxBytes: 'none',
  maxDepth: 256,
  noncharacters: 'allow',
  inexactIntegers: 'allow',
});
