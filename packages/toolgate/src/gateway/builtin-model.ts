import type { Item, ModelCall } from '@toolgate/model';
import type { ScriptedTurn } from '@toolgate/testing';
import { createProviderServer, type ProviderServer } from '@toolgate/testing/node';

/** `call NAME {…}` in the words of a user. What stands in the brackets is for the gateway to judge. */
const ORDER = /^call ([A-Za-z0-9_-]{1,64}) (\{.*\})\s*$/u;
const COMPLETION = 'attempt_completion';
const MAX_SAID = 2_000;

/** A provider on this machine for trying things out without a key. Close it. */
export function startBuiltinModel(): Promise<ProviderServer> {
  let calls = 0;
  const newCallId = (): string => {
    calls += 1;
    return `call_${calls}`;
  };
  return createProviderServer({
    protocol: 'openai-chat',
    script: (call) => answerOf(call, newCallId),
    maxRequests: 64,
  });
}

/**
 * What the built-in model says: it proposes the call that a user's line `call NAME {…}` asks for, repeats the
 * result that it gets, and says how it is used to everything else. It ends through a completion tool where it is given one.
 */
export function answerOf({ items, tools }: ModelCall, newCallId: () => string): ScriptedTurn {
  const usage = { inputTotal: items.length, outputTotal: 1 };
  const end = (text: string): ScriptedTurn =>
    (tools ?? []).some((tool) => tool.kind === 'function' && tool.name === COMPLETION)
      ? { calls: [{ id: newCallId(), name: COMPLETION, arguments: { result: text } }], usage }
      : { text, usage };
  const last = items.at(-1);
  if (last?.kind === 'tool-result') return end(`The tool said: ${textOf(last)}`);
  const said = last === undefined ? '' : textOf(last);
  const [, name = '', text = ''] = ORDER.exec(said.trim()) ?? [];
  if (name !== '') return { calls: [{ id: newCallId(), name, arguments: text }], usage };
  return end(
    'I am the built-in model. Say: call NAME {"argument": "value"}, and I propose that call; offer me a tool of that name.',
  );
}

function textOf(item: Item): string {
  if (!('parts' in item)) return '';
  const text = item.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return text.slice(0, MAX_SAID);
}
