import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray } from '../codec/wire-reader.ts';
import { refusesPrefill } from './claude-generation.ts';

/** What stands behind a last word of the model. It asks for nothing that was not asked for before. */
const GO_ON: JsonObject = Object.freeze({
  role: 'user',
  content: Object.freeze([Object.freeze({ type: 'text', text: '[nothing was said since; go on]' })]),
});

/**
 * The messages, with a word of the user behind a last word of the model where the model refuses to go on in its own: an
 * interrupted or cut conversation could never be taken up again. A turn that the API itself broke off, in the middle of
 * its own tools, is taken up as it is.
 */
export function closePrefill(
  messages: readonly JsonObject[],
  model: string,
  losses: LossLog,
): readonly JsonObject[] {
  const last = messages.at(-1);
  const content = last?.['content'];
  if (last?.['role'] !== 'assistant' || !isJsonArray(content) || !refusesPrefill(model)) return messages;
  if (!content.every(isSaid)) return messages;
  losses.add('synthesised', '/items', 'warning', 'the model does not continue a text of its own');
  return [...messages, GO_ON];
}

const SAID: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking']);

function isSaid(block: JsonValue): boolean {
  return isJsonObject(block) && SAID.has(block['type']);
}
