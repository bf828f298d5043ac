import { freezeJson, type JsonValue } from '@toolgate/core';
import type { Item } from '@toolgate/model';
import { AgentError } from './agent-error.ts';

/** What a run is started with: a question, or a conversation so far. */
export type RunInput = string | readonly Item[];

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);

/**
 * Reads an input into items of our own: what the caller changes later is not what is sent. A history may be broken (a
 * call without its result, say); that is put right in what is sent, and never in what is stored.
 *
 * @throws AgentError `agent/input-invalid` with the place of what is no item.
 */
export function readInput(input: RunInput): readonly Item[] {
  if (typeof input === 'string') {
    if (input.trim() === '') throw invalid('the input is blank');
    return Object.freeze([
      { kind: 'message', role: 'user', parts: [{ kind: 'text', text: input.toWellFormed() }] },
    ]);
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
  const fields = isObject(item) ? item : {};
  if (!isItem(fields)) throw invalid(`there is no item at /${index}`);
}

function isItem(item: Readonly<Record<string, unknown>>): boolean {
  switch (item['kind']) {
    case 'message':
      return ROLES.has(item['role']) && isParts(item['parts']);
    case 'tool-call':
      return isText(item['callId']) && isText(item['name']) && isText(item['arguments']);
    case 'tool-result':
      return isText(item['callId']) && isParts(item['parts']);
    case 'reasoning':
      return true;
    case 'foreign':
      return isText(item['protocol']) && item['value'] !== undefined;
    default:
      return false;
  }
}

function isParts(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => isObject(part) && isText(part['kind']));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function invalid(message: string): AgentError {
  return new AgentError('agent/input-invalid', message);
}
