import { isJsonObject, type JsonValue } from '@toolgate/core';
import { memberOf } from '../codec/wire-reader.ts';

/** Events about what the provider runs itself, and sound. None of them begins an item or ends one. */
const ASIDE =
  /^response\.(?:image_generation_call\.(?:in_progress|generating|partial_image)|code_interpreter_call(?:_code)?\.(?:in_progress|interpreting|delta)|(?:web|file)_search_call\.(?:in_progress|searching)|audio(?:\.transcript)?\.delta)$/;

/** Whether an event that gave none of ours only tells of sound, or how something stands that the provider runs. */
export function isResponsesAside(event: JsonValue, name: string): boolean {
  if (!isJsonObject(event)) return false;
  const type = memberOf(event, 'type') ?? name;
  if (typeof type !== 'string' || !ASIDE.test(type)) return false;
  return memberOf(event, 'item') === undefined && memberOf(event, 'response') === undefined;
}
