import { createOutlineReader, type JsonObject, type OutlinedJson } from '@toolgate/core';
import type { ModelCall, ModelTool } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import type { Coded, RequestTarget } from '../codec/codec.ts';
import { codecOf } from '../codec/codecs.ts';
import { memberOf } from '../codec/wire-reader.ts';
import type { Span } from './json-spans.ts';
import type { RequestOutline } from './request-outline.ts';
import type { KnownToolLists, ToolList } from './tool-list.ts';

/** A request that was read, and what {@link applyEdits} need not find out about its text again. */
export interface ReadRequest extends Coded<ModelCall> {
  readonly outline: RequestOutline;
}

/** Reads requests of one protocol whose lists of tools come again and again. */
export interface RequestReader {
  /**
   * @returns `undefined` where `readJson` and the codec have to be asked: the text is unusual, or wrong.
   * @throws ModelError as the codec does, for a body that is no request.
   */
  read(text: string, target?: RequestTarget): ReadRequest | undefined;
}

/** Bounds of a reader. */
export interface RequestReaderOptions {
  /** Arrays and objects that may be open at once. */
  readonly maxDepth: number;
  /** UTF-16 units of all lists of tools that are remembered, together. Default 1,048,576. */
  readonly maxRemembered?: number;
}

const REMEMBERED = ['tools', 'functions'] as const;

/** Makes a reader that remembers what lists of tools mean. Bodies may be of any length; noncharacters are let through. */
export function createRequestReader(protocol: Protocol, options: RequestReaderOptions): RequestReader {
  const { maxDepth, maxRemembered } = options;
  const codec = codecOf(protocol);
  const decoded = new WeakMap<object, readonly ModelTool[]>();
  const looked = new WeakMap<object, ToolList>();
  const reader = createOutlineReader({
    maxBytes: 'none',
    maxDepth,
    remember: REMEMBERED,
    ...(maxRemembered === undefined ? {} : { maxRemembered }),
  });
  return Object.freeze({
    read(text: string, target?: RequestTarget) {
      const json = reader.read(text);
      if (json === undefined) return undefined;
      const { losses, value } = codec.decodeRequest(json.value, target, decoded);
      return { value, losses, outline: outlineOf(json, looked) };
    },
  });
}

function outlineOf(
  { end, members, start, value }: OutlinedJson,
  looked: WeakMap<object, ToolList>,
): RequestOutline {
  return { body: { start, end, entries: members }, lists: listsOf(value, looked) };
}

function listsOf(body: JsonObject, looked: WeakMap<object, ToolList>): KnownToolLists {
  return {
    listOf(member, start, look) {
      const value = memberOf(body, member);
      if (typeof value !== 'object' || value === null) return look();
      const known = looked.get(value);
      if (known !== undefined) return moved(known, start);
      const list = look();
      looked.set(value, { ...list, names: list.names.map(ownText) });
      return list;
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The same text in a place of its own: a name that was cut out of a body is a view of it, and would keep it alive. */
function ownText(name: string | undefined): string | undefined {
  return name === undefined ? undefined : decoder.decode(encoder.encode(name));
}

/** The list as it stands where it begins now. */
function moved(known: ToolList, start: number): ToolList {
  const by = start - known.list.start;
  if (by === 0) return known;
  const move = (span: Span): Span => ({ start: span.start + by, end: span.end + by });
  const { end, entries } = known.list;
  return { ...known, list: { start, end: end + by, entries: entries.map(move) } };
}
