import type { OutputPart } from '@toolgate/core';
import { isObject } from '../value-shape.ts';
import { canonical, saysSame } from './canonical-text.ts';
import { inOneLine, withoutBytes } from './without-bytes.ts';

/** Longest text that is compared with a structure; what is longer is cut for the model in any case. */
const MAX_COMPARED = 1_048_576;

/** How JSON begins that is no text. */
const JSON_START = /^\s*[[{\-\dtfn]/;

/**
 * What of a structure is to be shown beside the parts of its result, without bytes: those are no text for a model, whether
 * there is a part for them or not. `undefined` where the parts say all of it, however that is laid out: the same JSON, the
 * one value that a framework wraps into an object, a list item by item, or media. Some servers have nothing but a summary
 * beside it.
 */
export function shownStructure(structure: unknown, parts: readonly OutputPart[]): unknown {
  const kept = withoutBytes(structure, new Set(parts.flatMap((part) => dataOf(part))));
  if (kept === undefined) return undefined;
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  if (kept.value !== structure && isNamed(kept.value, new Set(parts.flatMap(namesOf)))) return undefined;
  const isSaid = isSaidBy(kept, texts) || isSaidBy({ ...kept, value: onlyMember(kept.value) }, texts);
  return isSaid ? undefined : kept.value;
}

interface Weighed {
  readonly value: unknown;
  /** Characters that its JSON has at the least. */
  readonly weight: number;
}

function isSaidBy({ value, weight }: Weighed, texts: readonly string[]): boolean {
  if (value === undefined) return false;
  const isSaidIn = saying(value, weight);
  if (texts.some(isSaidIn)) return true;
  if (typeof value === 'string') return texts.join('\n') === value;
  if (!Array.isArray(value) || value.length !== texts.length) return false;
  return value.every((item: unknown, index) => {
    const text = texts[index];
    return text !== undefined && saying(item, 0)(text);
  });
}

/** Whether a text says a value, which is written down once, however many texts there are. */
function saying(value: unknown, weight: number): (text: string) => boolean {
  let written: { readonly same: string | undefined } | undefined;
  return (text) => {
    if (text === value) return true;
    // A text may be longer than what it says, by its layout, but hardly shorter.
    if (text.length > MAX_COMPARED || weight > text.length * 2 + 1_000 || !JSON_START.test(text))
      return false;
    written ??= { same: typeof value === 'string' ? undefined : canonical(value) };
    return written.same !== undefined && saysSame(text, written.same);
  };
}

function onlyMember(structure: unknown): unknown {
  const values = isObject(structure) ? Object.values(structure) : [];
  return values.length === 1 ? values[0] : undefined;
}

/** Whether all that is left of media are words that their parts have, too. */
function isNamed(value: unknown, names: ReadonlySet<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return value === null || names.has(value);
  return Object.values(value).every((member) => isNamed(member, names));
}

function namesOf(part: OutputPart): readonly unknown[] {
  const { kind } = part;
  const words: unknown[] = [kind, kind === 'file' ? 'resource' : kind];
  if ('mediaType' in part) words.push(part.mediaType);
  if ('uri' in part) words.push(part.uri);
  return [...words, ...(textOf(part) === undefined ? [] : [textOf(part)])];
}

function dataOf(part: OutputPart): readonly string[] {
  return 'data' in part && part.data !== undefined && part.data !== '' ? [inOneLine(part.data)] : [];
}

function textOf(part: OutputPart): string | undefined {
  if (part.kind === 'text') return part.text;
  return part.kind === 'file' ? part.text : undefined;
}
