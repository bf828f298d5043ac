import type { OutputPart } from '@toolgate/core';
import { isObject } from '../value-shape.ts';
import { blobPart } from './blob-part.ts';
import { inWords } from './in-words.ts';
import { inOneLine } from './without-bytes.ts';

/** Control characters and the two that end a line, which no label may hold. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A kind of block as it may be told. */
const KIND = /^[a-z_]{1,32}$/;
const MAX_LABEL = 1_024;
const MAX_URI = 8_000;

/** A block of a result as it came in. */
type Block = Readonly<Record<string, unknown>>;

/**
 * One block of a result as a part of ours. Members that are nothing to us may be anything, and `null` is absent. A kind
 * that is not known becomes a text that names it, and so does a value that is no block: what a tool has done is done.
 *
 * @returns `undefined` for what lacks what its kind consists of, and for nothing.
 */
export function contentPart(block: unknown): OutputPart | undefined {
  if (!isObject(block)) return valuePart(block);
  if (typeof block['type'] !== 'string') return untypedPart(block);
  const { type, text, uri, resource } = block;
  switch (type) {
    case 'text':
      return valuePart(text);
    case 'image':
    case 'audio':
      return mediaPart(type, block);
    case 'resource_link':
      return typeof uri === 'string' ? linkPart(uri, block) : undefined;
    case 'resource':
      return isObject(resource) ? resourcePart(resource) : undefined;
    default:
      return typeof text === 'string' && text !== '' ? otherText(type, text) : leftOut(block);
  }
}

/** A value that stands where a text should be, in words. */
function valuePart(value: unknown): OutputPart | undefined {
  if (value === undefined || value === null) return undefined;
  const text = inWords(value);
  return text === undefined ? undefined : { kind: 'text', text };
}

/** An object that does not say what it is: a text, or a value of the tool, but never data that would be read as text. */
function untypedPart(block: Block): OutputPart | undefined {
  if (typeof block['text'] === 'string') return { kind: 'text', text: block['text'] };
  return typeof block['data'] === 'string' || typeof block['blob'] === 'string'
    ? undefined
    : valuePart(block);
}

/** Frameworks have kinds of their own, `error` above all; what they say in words is text for the model like all other. */
function otherText(type: string, text: string): OutputPart {
  return { kind: 'text', text: KIND.test(type) ? `[${type}] ${text}` : text };
}

/** So much at most is looked at for the head of a `data:` address. */
const MAX_HEAD = 200;
const HEAD = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i;

/** Media, in whose data some servers leave the head of a `data:` address, or the ends of lines. */
function mediaPart(kind: 'image' | 'audio', { data, mimeType }: Block): OutputPart | undefined {
  if (typeof data !== 'string') return undefined;
  const head = data.startsWith('data:') ? HEAD.exec(data.slice(0, MAX_HEAD)) : null;
  const mediaType = mimeType ?? head?.[1];
  if (typeof mediaType !== 'string') return undefined;
  const body = head === null ? data : data.slice(head[0].length);
  return { kind, mediaType, data: inOneLine(body) };
}

function linkPart(uri: string, { title, name, description, mimeType }: Block): OutputPart {
  return {
    kind: 'resource-link',
    uri: address(uri),
    ...label('name', title ?? name),
    ...label('description', description),
    ...(typeof mimeType === 'string' ? { mediaType: mimeType } : {}),
  };
}

function resourcePart({ uri, text, blob, mimeType }: Block): OutputPart | undefined {
  if (typeof uri !== 'string') return undefined;
  const file = (otherwise: string) =>
    ({
      kind: 'file',
      mediaType: typeof mimeType === 'string' ? mimeType : otherwise,
      uri: address(uri),
    }) as const;
  if (typeof text === 'string') return { ...file('text/plain'), text };
  if (typeof blob !== 'string') return undefined;
  const of = blobPart(blob, typeof mimeType === 'string' ? mimeType : '');
  if (of === undefined) return { ...file('application/octet-stream'), data: blob };
  return of.kind === 'text' ? { ...file('text/plain'), text: of.text } : of;
}

/** What stands for a block that cannot be given. Never its data: base64 is no text for a model. */
export function leftOut(block: unknown): OutputPart {
  const type = isObject(block) ? block['type'] : undefined;
  const kind = typeof type === 'string' && KIND.test(type) ? type : 'block';
  return { kind: 'text', text: `[${kind} left out: it is malformed or of an unknown kind]` };
}

/** A label in one line; shortened, because it is for finding, not for reading. */
function label<Name extends 'name' | 'description'>(
  name: Name,
  value: unknown,
): { readonly [Key in Name]?: string } {
  if (typeof value !== 'string' || value === '') return {};
  const line = value.replace(CONTROL, ' ');
  const short = line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL).toWellFormed()}…` : line;
  return { [name]: short } as { readonly [Key in Name]?: string };
}

/** An address is not shortened: half of one leads somewhere else. */
function address(uri: string): string {
  return uri.length > MAX_URI || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(uri) ? 'about:invalid' : uri;
}
