import { JsonError, readJson } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { ANY_JSON } from './any-json.ts';

/** An answer that is no JSON. */
export interface BrokenAnswer {
  /** The request that it answers. */
  readonly id: string | number;
  /** What is wrong with it, and where. */
  readonly fault: McpError;
}

/** How a number that JSON does not have, or half of a text, is found out. */
const ID = /^(?:-?\d{1,15}|"[^"\\]{0,256}")$/;

/**
 * Finds out whom a text answers that is no JSON, because somewhere in it stands a number that JSON does not have, or a
 * control character, or because its end is missing: whoever waits for it learns that it came. Looks at the members of
 * the outermost object alone; takes time linear in the text.
 *
 * @returns `undefined` for a text that says nowhere, or twice, which request it answers, and for one that asks.
 */
export function brokenAnswer(text: string): BrokenAnswer | undefined {
  const fault = faultOf(text);
  const id = fault === undefined ? undefined : idOf(text);
  return fault === undefined || id === undefined ? undefined : { id, fault };
}

function faultOf(text: string): McpError | undefined {
  try {
    readJson(text, ANY_JSON);
    return undefined;
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    return new McpError('mcp/result-invalid', `A message of the server cannot be read: ${cause.message}`, {
      pointer: cause.pointer,
      cause,
    });
  }
}

function idOf(text: string): string | number | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const ids: string[] = [];
  let answers = false;
  let depth = 0;
  let word = '';
  let name = '';
  let start = 0;
  for (let at = text.indexOf('{'); at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (unit === '"') {
      const end = stringEnd(text, at);
      word = depth === 1 ? text.slice(at + 1, end) : '';
      at = end;
    } else if (unit === '{' || unit === '[') depth += 1;
    else if (unit === ':' && depth === 1) {
      name = word;
      start = at + 1;
      if (name === 'method') return undefined;
      answers ||= name === 'result' || name === 'error';
    } else if (unit === ',' || unit === '}' || unit === ']') {
      if (depth === 1 && name === 'id') ids.push(text.slice(start, at).trim());
      if (depth === 1) name = '';
      if (unit !== ',') depth -= 1;
      if (depth === 0) break;
    }
  }
  const [only = '', ...more] = ids;
  if (!answers || more.length > 0 || !ID.test(only)) return undefined;
  return only.startsWith('"') ? only.slice(1, -1) : Number(only);
}

/** Where the quote stands that ends the string that begins here; behind the text, where none does. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
