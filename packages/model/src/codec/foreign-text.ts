import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ForeignContent } from '../call/item.ts';
import { isJsonArray, memberOf, textOf } from './wire-reader.ts';

/**
 * The words of a part that another protocol has no form for, where all that it says is words: what a search of tools or
 * of documents gave. `undefined` for everything else.
 */
export function foreignText({ protocol, value }: ForeignContent): string | undefined {
  if (protocol !== 'anthropic' || !isJsonObject(value)) return undefined;
  switch (textOf(value, 'type') ?? '') {
    case 'tool_reference':
      return toolReference(value);
    case 'search_result':
      return searchResult(value);
    case 'document':
      return documentOfBlocks(value);
    default:
      return undefined;
  }
}

function toolReference(block: JsonObject): string | undefined {
  const name = textOf(block, 'tool_name');
  return name === undefined ? undefined : `[tool available: ${name}]`;
}

function searchResult(block: JsonObject): string | undefined {
  const text = textOfBlocks(memberOf(block, 'content'));
  const head = [textOf(block, 'title'), textOf(block, 'source')].filter((line) => line !== undefined);
  return text === undefined ? undefined : [...head, text].join('\n');
}

function documentOfBlocks(block: JsonObject): string | undefined {
  const source = memberOf(block, 'source');
  if (!isJsonObject(source) || textOf(source, 'type') !== 'content') return undefined;
  return textOf(source, 'content') ?? textOfBlocks(memberOf(source, 'content'));
}

/** The texts of a list, or nothing where something else stands in it. */
function textOfBlocks(blocks: JsonValue | undefined): string | undefined {
  if (blocks === undefined || !isJsonArray(blocks)) return undefined;
  const texts: string[] = [];
  for (const block of blocks) {
    const text = isJsonObject(block) && textOf(block, 'type') === 'text' ? textOf(block, 'text') : undefined;
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}
