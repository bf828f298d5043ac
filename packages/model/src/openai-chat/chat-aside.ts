import { isJsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';

/** Members of a message that no client takes for a call. */
const TOLD: ReadonlySet<string> = new Set(['role', 'content', 'refusal', 'audio']);

/** Whether a chunk without events only brings sound, or words of another answer than the first. */
export function isChatAside(chunk: JsonValue): boolean {
  const choices = isJsonObject(chunk) ? memberOf(chunk, 'choices') : undefined;
  if (!isJsonArray(choices) || choices.length === 0) return false;
  return choices.every((choice) => {
    if (!isJsonObject(choice) || (memberOf(choice, 'finish_reason') ?? null) !== null) return false;
    const delta = memberOf(choice, 'delta');
    return (
      memberOf(choice, 'message') === undefined &&
      isJsonObject(delta) &&
      Object.keys(delta).every((name) => TOLD.has(name))
    );
  });
}
