import { freezeJson, type JsonValue } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import { AgentError } from './agent-error.ts';
import { faultOfParts, isObject, isText } from './check-parts.ts';

/** What a run is started with: a question, or a conversation so far. */
export type RunInput = string | readonly Item[];

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);

/**
 * Reads an input into items of our own: what the caller changes later is not what is sent. A history may be broken (a
 * call without its result, say); that is put right in what is sent, and never in what is stored.
 *
 * @throws AgentError `agent/input-invalid` with the place of what is no item or part.
 */
export function readInput(input: RunInput): readonly Item[] {
  if (typeof input === 'string') {
    if (input.trim() === '') throw invalid('the input is blank');
    const part = Object.freeze({ kind: 'text', text: input.toWellFormed() });
    return Object.freeze([Object.freeze({ kind: 'message', role: 'user', parts: Object.freeze([part]) })]);
  }
  if (!Array.isArray(input) || input.length === 0)
    throw invalid('the input is a text or a non-empty list of items');
  const items = copy(input);
  items.forEach(checkItem);
  return items;
}

function copy(input: readonly Item[]): readonly Item[] {
  try {
    const items = JSON.parse(JSON.stringify(input)) as JsonValue;
    return freezeJson(items) as unknown as readonly Item[];
  } catch (cause) {
    throw new AgentError('agent/input-invalid', 'the items have no JSON form', { cause });
  }
}

function checkItem(item: unknown, index: number): void {
  const fault = isObject(item) ? faultOfItem(item) : ': it is an object with a kind';
  if (fault !== undefined) throw invalid(`there is no item at /${index}${fault}`);
}

/** Where an item is none, and what stands there in one. */
function faultOfItem(item: Readonly<Record<string, unknown>>): string | undefined {
  switch (item['kind']) {
    case 'message':
      return ROLES.has(item['role'])
        ? faultOfParts(item['parts'])
        : '/role: it is user, assistant, system or developer';
    case 'tool-call':
      return faultOfTexts(item, ['callId', 'name', 'arguments']);
    case 'tool-result':
      return faultOfTexts(item, ['callId']) ?? faultOfParts(item['parts']);
    case 'reasoning':
      return undefined;
    case 'foreign':
      return (
        faultOfTexts(item, ['protocol']) ??
        (item['value'] === undefined ? '/value: it is missing' : undefined)
      );
    default:
      return '/kind: it is message, tool-call, tool-result, reasoning or foreign';
  }
}

function faultOfTexts(item: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !isText(item[name]));
  return wrong === undefined ? undefined : `/${wrong}: it is a text`;
}

function invalid(message: string): AgentError {
  return new AgentError('agent/input-invalid', message);
}
