import type { JsonValue } from '../../json/json-value.ts';
import { isJsonArray } from '../member.ts';
import { kindWord } from './type-words.ts';

/** Longest text that shows a value, in UTF-16 units. */
const maxShown = 40;
/** Longest text that shows several values or names. */
const maxList = 240;

/** Characters that could change how the text around them is shown. */
const unsafe = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;

/** A piece of text in quotes, safe to show, at most 40 characters. What is too long is cut and ends in an ellipsis. */
export function quote(text: string): string {
  const whole = escaped(text.slice(0, maxShown));
  if (text.length <= maxShown && whole.length <= maxShown) return whole;
  let shown = '';
  for (const character of text) {
    const piece = escaped(character).slice(1, -1);
    if (shown.length + piece.length > maxShown - 3) break;
    shown += piece;
  }
  return `"${shown}…"`;
}

/**
 * A value as a model is told about it: scalars themselves, where they fit into 40 characters; of long strings,
 * arrays and objects only what they are.
 */
export function showValue(value: JsonValue): string {
  if (typeof value === 'string') {
    const shown = value.length > maxShown ? '' : escaped(value);
    return shown === '' || shown.length > maxShown ? `a string of ${value.length} characters` : shown;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (isJsonArray(value)) return `an array of ${count(value.length, 'item')}`;
  return `an object of ${count(Object.keys(value).length, 'member')}`;
}

/** A value of the wrong type: its kind, and itself where it is a short scalar. */
export function showKind(value: JsonValue): string {
  if (typeof value === 'string') {
    const shown = `the string ${showValue(value)}`;
    return value.length < maxShown && shown.length <= maxShown
      ? shown
      : `a string of ${value.length} characters`;
  }
  return typeof value === 'object' ? kindWord(value) : String(value);
}

/** Schema values as a list of alternatives, bounded. */
export function showChoices(values: readonly JsonValue[]): string {
  return list(values.map(showChoice));
}

/** Member names as a list of alternatives, bounded. */
export function showNames(names: readonly string[]): string {
  return list(names.map(quote));
}

/** Member names that belong together, bounded. */
export function showAll(names: readonly string[]): string {
  return list(names.map(quote), 'and');
}

/** `1 item`, `2 items`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What a schema lists is no secret: a small object or array is shown as it is. */
function showChoice(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return showValue(value);
  const parts = Object.values(value);
  const isSmall = parts.length <= 4 && parts.every((part) => part === null || typeof part !== 'object');
  const text = isSmall && parts.every((part) => String(part).length <= maxShown) ? escaped(value) : '';
  return text === '' || text.length > 2 * maxShown ? showValue(value) : text;
}

function list(texts: readonly string[], last: 'or' | 'and' = 'or'): string {
  let shown = '';
  for (const [index, text] of texts.entries()) {
    const left = texts.length - index;
    if (shown.length + text.length > maxList) return `${shown} ${last} ${left} more`;
    shown += index === 0 ? text : left === 1 ? ` ${last} ${text}` : `, ${text}`;
  }
  return shown;
}

function escaped(value: JsonValue): string {
  return JSON.stringify(value).replace(
    unsafe,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
