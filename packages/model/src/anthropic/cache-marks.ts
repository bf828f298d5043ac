import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray } from '../codec/wire-reader.ts';

/** More marks are refused. */
const MOST_MARKS = 4;

/** Blocks in the order in which they are read, those in a result before the result. */
const PLACES = ['tools', 'system', 'messages'] as const;

/** The body with as many cache marks as the API takes. The last ones stay: each covers all that comes before it. */
export function fitCacheMarks(body: JsonObject, losses: LossLog): JsonObject {
  let surplus = PLACES.reduce((sum, name) => sum + countMarks(body[name]), 0) - MOST_MARKS;
  if (surplus <= 0) return body;
  losses.add('dropped', '', 'info', 'the API takes four cache marks; the last ones stay');
  const strip = (value: JsonValue): JsonValue => {
    if (isJsonArray(value)) return value.map(strip);
    if (!isJsonObject(value)) return value;
    const content = value['content'];
    const block = content === undefined ? value : { ...value, content: strip(content) };
    if (surplus <= 0 || !isMarked(block)) return block;
    surplus -= 1;
    const { cache_control: _mark, ...plain } = block;
    return plain;
  };
  const fitted: Record<string, JsonValue> = { ...body };
  for (const name of PLACES) {
    const value = body[name];
    if (value !== undefined) fitted[name] = strip(value);
  }
  return fitted;
}

function countMarks(value: JsonValue | undefined): number {
  if (isJsonArray(value)) return value.reduce<number>((sum, entry) => sum + countMarks(entry), 0);
  if (!isJsonObject(value)) return 0;
  return countMarks(value['content']) + (isMarked(value) ? 1 : 0);
}

function isMarked(block: JsonObject): boolean {
  return isJsonObject(block['cache_control']);
}
