import { isUtf8 } from 'node:buffer';
import { type JsonArray, JsonError, type JsonValue, readJson } from '@toolgate/core';
import {
  type Codec,
  codecOf,
  createRequestReader,
  type Loss,
  type ModelCall,
  ModelError,
  type Protocol,
  type ReadRequest,
  type RequestOutline,
  type RequestReader,
  type RequestTarget,
} from '@toolgate/model';
import { type Refusal, refuse } from '../../http/refusal.ts';

/** A request of a client, read strictly. */
export interface ClientCall {
  readonly protocol: Protocol;
  readonly codec: Codec;
  /** As it came. */
  readonly body: Uint8Array;
  /** Where things are in these bytes; absent where that has to be looked for. */
  readonly outline: RequestOutline | undefined;
  readonly call: ModelCall;
  /** What reading it strictly says about carrying it over to another protocol. */
  readonly losses: readonly Loss[];
}

/** A call, or why the body is none. */
export type ReadCall =
  | { readonly kind: 'call'; readonly call: ClientCall }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** The model that is asked for, where the body is strict JSON all the same. */
      readonly model?: string;
    };

const MAX_DEPTH = 256;

/** Characters of lists of tools that are remembered for each protocol. */
const MAX_REMEMBERED = 524_288;

/** Reads the bodies of model calls, and remembers the lists of tools that clients send with each of them. */
export type CallReader = (protocol: Protocol, body: Uint8Array, target: RequestTarget) => ReadCall;

/**
 * Makes a reader of bodies. It reads what the reader of arguments reads: a body that two parsers could understand
 * differently is refused, because the provider is the second one.
 */
export function createCallReader(): CallReader {
  const readers = new Map<Protocol, RequestReader>();
  const readerOf = (protocol: Protocol): RequestReader => {
    const known = readers.get(protocol);
    if (known !== undefined) return known;
    const reader = createRequestReader(protocol, { maxDepth: MAX_DEPTH, maxRemembered: MAX_REMEMBERED });
    readers.set(protocol, reader);
    return reader;
  };

  return (protocol, body, target) => {
    const codec = codecOf(protocol);
    // A long body waits with its call for the answer, and a text of it would wait with it in the heap.
    const read = readOrdinary(readerOf(protocol), body, target);
    if (read === undefined) return readUnusual(codec, body, target);
    const { losses, outline, value: call } = read;
    return { kind: 'call', call: { protocol, codec, body, outline, call, losses } };
  };
}

/** `undefined` for a body that is unusual, or no request: what is wrong with it is found out in another way. */
function readOrdinary(
  reader: RequestReader,
  body: Uint8Array,
  target: RequestTarget,
): ReadRequest | undefined {
  try {
    return reader.read(body, target);
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    return undefined;
  }
}

function readUnusual(codec: Codec, body: Uint8Array, target: RequestTarget): ReadCall {
  if (!isUtf8(body)) return refused('body_malformed', 'It is not UTF-8 (json/bad-utf8).');
  const json = readBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  if (json.kind === 'refused') return json;
  const { protocol } = codec;
  try {
    const decoded = codec.decodeRequest(json.value, target);
    const losses = json.losses.length === 0 ? decoded.losses : [...json.losses, ...decoded.losses];
    const call = decoded.value;
    return { kind: 'call', call: { protocol, codec, body, outline: undefined, call, losses } };
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    const model = target.model ?? modelOf(json.value);
    return {
      ...refused('request_invalid', error.message, error.pointer),
      ...(model === undefined ? {} : { model }),
    };
  }
}

/** The model that a body names; `undefined` where servers that do not care for the case of names may find another one. */
function modelOf(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined;
  for (const name in value) if (name !== 'model' && name.toLowerCase() === 'model') return undefined;
  const model = Object.hasOwn(value, 'model') ? value['model'] : undefined;
  return typeof model === 'string' ? model : undefined;
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

type ReadBody =
  | { readonly kind: 'body'; readonly value: JsonValue; readonly losses: readonly Loss[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const ROUNDED: readonly Loss[] = Object.freeze([
  Object.freeze({
    code: 'approximated',
    path: '',
    severity: 'warning',
    detail: 'an integer that a double cannot hold is rounded',
  }),
]);

/** Integers that a double cannot hold stay as they are in a body that is passed on, and are a loss where it is not. */
function readBody(text: string): ReadBody {
  const rules = { maxBytes: 'none', maxDepth: MAX_DEPTH, noncharacters: 'allow' } as const;
  try {
    return { kind: 'body', value: readJson(text, rules), losses: [] };
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    if (error.code !== 'json/inexact-integer') return refuseText(error);
  }
  try {
    const value = readJson(text, { ...rules, inexactIntegers: 'allow' });
    return { kind: 'body', value, losses: ROUNDED };
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return refuseText(error);
  }
}

function refuseText(error: JsonError): ReadBody & { readonly kind: 'refused' } {
  const where = `${error.code}, line ${error.line}, column ${error.column}`;
  return refused('body_malformed', `It breaks a rule of I-JSON (${where}).`, error.pointer);
}

function refused(
  code: 'body_malformed' | 'request_invalid',
  detail: string,
  pointer?: string,
): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return {
    kind: 'refused',
    refusal: refuse(code, { detail, ...(pointer === undefined ? {} : { pointer }) }),
  };
}
