import { isJsonObject, type JsonObject, type JsonValue, writeJson } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '../call/item.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';

/** Members that Gemini reads as references of its own wherever they stand in a result. */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set(['$defs', '$ref', '$schema', 'definitions']);

/**
 * The `response` object of a result. A text is `{result: text}`, a failure `{error: …}`, a structured object stands for
 * itself, anything else structured is `{result: value}`. A value with a schema in it goes as JSON text, because the API
 * would resolve its references; results are data and are not edited.
 */
export function toResponse(item: ToolResultItem, path: string, losses: LossLog): JsonObject {
  const { structured, isError = false } = item;
  const text = textOf(item.parts, path, losses);
  if (structured === undefined) {
    if (text !== undefined) return isError ? { error: text } : { result: text };
    if (isError)
      losses.add('approximated', `${path}/parts`, 'info', 'a failure without words has empty text here');
    return isError ? { error: '' } : {};
  }
  if (text !== undefined)
    losses.add('dropped', `${path}/parts`, 'info', 'the structured value stands for the text here');
  if (hasSchema(structured)) {
    losses.add('approximated', `${path}/structured`, 'info', 'a value with a schema in it is JSON text here');
    const json = writeJson(structured, { maxBytes: 'none', maxDepth: 'none' });
    return isError ? { error: json } : { result: json };
  }
  if (isError) {
    if (typeof structured === 'string') noteShape(path, losses);
    return { error: structured };
  }
  if (!isJsonObject(structured)) {
    if (typeof structured === 'string') noteShape(path, losses);
    return { result: structured };
  }
  if (isOurShape(structured)) noteShape(path, losses);
  return structured;
}

function noteShape(path: string, losses: LossLog): void {
  losses.add(
    'approximated',
    `${path}/structured`,
    'info',
    'the value has the form in which text is written here',
  );
  losses.add('approximated', `${path}/parts`, 'info', 'the value has the form in which text is written here');
}

/** What a `response` object says; only the forms that {@link toResponse} makes are taken apart. */
export function fromResponse(response: JsonObject): Pick<ToolResultItem, 'parts' | 'structured' | 'isError'> {
  if (Object.keys(response).length === 0) return { parts: [] };
  if (!isOurShape(response)) return { parts: [], structured: response };
  const isError = Object.hasOwn(response, 'error');
  const value = memberOf(response, isError ? 'error' : 'result') ?? null;
  return {
    ...(typeof value === 'string'
      ? { parts: [{ kind: 'text', text: value }] }
      : { parts: [], structured: value }),
    ...(isError ? { isError } : {}),
  };
}

/** One member: `error`, or a `result` that is no object, which is the only `result` that is written here. */
function isOurShape(response: JsonObject): boolean {
  const [name, second] = Object.keys(response);
  if (second !== undefined) return false;
  return name === 'error' || (name === 'result' && !isJsonObject(memberOf(response, 'result')));
}

function textOf(parts: readonly ContentPart[], path: string, losses: LossLog): string | undefined {
  const texts: string[] = [];
  parts.forEach((part, index) => {
    const place = `${path}/parts/${index}`;
    if (part.kind === 'text') {
      if (part.extensions !== undefined)
        losses.add('dropped', `${place}/extensions`, 'info', 'the text of a result is a text');
      if (texts.length > 0) losses.add('approximated', place, 'info', 'texts of a result are joined here');
      texts.push(part.text);
    } else if (part.kind === 'refusal') {
      losses.add('approximated', place, 'warning', 'a refusal is written as text here');
      texts.push(part.text);
    }
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Whether a member that looks like a schema's stands anywhere in the value. */
function hasSchema(value: JsonValue): boolean {
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isJsonArray(next)) for (const each of next) waiting.push(each);
    else if (isJsonObject(next)) {
      for (const [name, each] of Object.entries(next)) {
        if (SCHEMA_MEMBERS.has(name)) return true;
        waiting.push(each);
      }
    }
  }
  return false;
}
