import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ToolChoice } from '../call/model-call.ts';
import { memberOf, textOf } from './wire-reader.ts';

type Mode = 'auto' | 'none' | 'any';

const MODES: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'any'],
  ['any', 'any'],
]);

/**
 * A choice in the form of another protocol, as clients of several protocols send it: an object that says one word, or one
 * that names a function in another place. One that says anything besides is none of these, because what it says would be
 * lost.
 */
export function decodePlainChoice(choice: JsonObject): ToolChoice | undefined {
  const type = textOf(choice, 'type') ?? '';
  const members = Object.keys(choice).length;
  const mode = MODES.get(type);
  if (mode !== undefined) return members === 1 ? Object.freeze({ mode }) : undefined;
  if (members !== 2 || (type !== 'function' && type !== 'tool')) return undefined;
  const inner = memberOf(choice, 'function');
  const name = textOf(isJsonObject(inner) && Object.keys(inner).length === 1 ? inner : choice, 'name');
  return name === undefined || name === '' ? undefined : Object.freeze({ mode: 'named', name });
}
