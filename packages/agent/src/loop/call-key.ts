import { canonicalJson, digestText, readJson, type ToolCall } from '@toolgate/core';

/** Longer texts are kept as their digest. */
const MAX_KEY_LENGTH = 200;

/**
 * The same text for every call that proposes the same: white space and the order of members do not matter. Arguments
 * that cannot be read are compared as they are.
 */
export function callKey({ name, arguments: text }: Pick<ToolCall, 'name' | 'arguments'>): string {
  const key = `${name} ${canonical(text)}`;
  return key.length <= MAX_KEY_LENGTH ? key : digestText(key);
}

function canonical(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    return canonicalJson(readJson(text));
  } catch {
    return text.toWellFormed();
  }
}
