import type { JsonObject } from '@toolgate/core';
import type { ModelCall } from '@toolgate/model';
import type { ChoosableTools } from './choosable-tools.ts';
import type { OfferedTools } from './offered-tools.ts';

const PROTOCOL = 'openai-responses';

/**
 * A call of OpenAI Responses that is written anew for a provider of that protocol, with the namespaces of what its choice
 * names: no neutral form has them, and without them the choice means another function or none.
 */
export function withNamespacedChoice(
  call: ModelCall,
  choosable: ChoosableTools,
  { functions, names }: OfferedTools,
): ModelCall {
  const choice = call.toolChoice;
  if (!choice || choice.mode === 'foreign' || choice.mode === 'none' || names.byName.size === 0) return call;
  if (choosable === undefined || choosable === 'absent') return call;
  const tools = [...choosable].filter((name) => functions.has(name)).map((name) => toEntry(name, names));
  const [only] = tools;
  if (only === undefined) return call;
  if (choice.mode !== 'named') {
    const mode = choice.mode === 'any' ? 'required' : choice.mode;
    return withValue(call, { type: 'allowed_tools', mode, tools });
  }
  // A name that more than one namespace has goes out as the client wrote it.
  return tools.length === 1 ? withValue(call, only) : call;
}

function toEntry(whole: string, { owners }: OfferedTools['names']): JsonObject {
  const namespace = owners.get(whole) ?? '';
  if (namespace === '') return { type: 'function', name: whole };
  const joint = namespace.endsWith('__') ? 0 : 2;
  return { type: 'function', name: whole.slice(namespace.length + joint), namespace };
}

function withValue(call: ModelCall, value: JsonObject): ModelCall {
  return { ...call, toolChoice: { mode: 'foreign', protocol: PROTOCOL, value } };
}
