import {
  canonicalJson,
  JsonError,
  type JsonValue,
  type OutputPart,
  readJson,
  toJsonValue,
} from '@toolgate/core';
import { isObject } from '../value-shape.ts';
import { inWords } from './in-words.ts';

/** A value that is the base64 of something, and nothing that anybody reads. */
const BYTES = /"(?:data:[\w/+.;=-]{1,100},)?[A-Za-z0-9+/]{1000,}={0,2}"/;

/** How JSON begins that is no text. */
const JSON_START = /^\s*[[{\-\dtfn]/;

/** A structure in words; `undefined` for what no JSON can carry, which is for a contract to refuse. */
export function structureText(structure: unknown): string | undefined {
  if (structure === undefined || structure === null) return undefined;
  return canonical(structure);
}

/**
 * Whether the parts of a result say what its structure says, however that is laid out: the same JSON, the one value that a
 * framework wraps into an object, a list item by item, or media. Some servers have nothing but a summary beside it.
 */
export function isSaid(structure: unknown, parts: readonly OutputPart[]): boolean {
  const text = inWords(structure);
  if (text === undefined) return true;
  // Bytes are no text for a model, whether there is a part for them or not.
  if (BYTES.test(text)) return true;
  if (parts.some((part) => 'data' in part && part.data !== undefined && text.includes(part.data)))
    return true;
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  return isSaidBy(structure, texts) || isSaidBy(onlyMember(structure), texts);
}

/** Whether a text is the same JSON. */
export function saysSame(text: string, structure: string): boolean {
  try {
    return canonicalJson(readJson(text, { inexactIntegers: 'allow' })) === structure;
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return false;
  }
}

function isSaidBy(value: unknown, texts: readonly string[]): boolean {
  if (value === undefined) return false;
  if (typeof value === 'string') return texts.includes(value) || texts.join('\n') === value;
  const candidates = texts.filter((each) => JSON_START.test(each));
  const text = candidates.length === 0 ? undefined : canonical(value);
  if (text !== undefined && candidates.some((each) => saysSame(each, text))) return true;
  if (!Array.isArray(value) || value.length !== texts.length) return false;
  return value.every((item: unknown, index) => isSaidBy(item, texts.slice(index, index + 1)));
}

function onlyMember(structure: unknown): unknown {
  const values = isObject(structure) ? Object.values(structure) : [];
  return values.length === 1 ? values[0] : undefined;
}

function textOf(part: OutputPart): string | undefined {
  if (part.kind === 'text') return part.text;
  return part.kind === 'file' ? part.text : undefined;
}

function canonical(value: unknown): string | undefined {
  try {
    return canonicalJson(toJsonValue(value) as JsonValue);
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return undefined;
  }
}
