import type { JsonValue } from '@toolgate/core';
import type { ModelTool } from '../call/model-call.ts';
import type { DecodedTools } from './codec.ts';

/** What a list of tools is decoded to; for a list that was seen before, the very same. */
export function decodeOnce(
  decoded: DecodedTools | undefined,
  list: JsonValue | undefined,
  decode: () => readonly ModelTool[],
): readonly ModelTool[] {
  if (decoded === undefined || typeof list !== 'object' || list === null) return decode();
  const known = decoded.get(list);
  if (known !== undefined) return known;
  const tools = decode();
  decoded.set(list, tools);
  return tools;
}
