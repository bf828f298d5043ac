import { createOutlineReader, type OutlinedJson } from '@toolgate/core';
import type { ModelCall, ModelTool } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import type { Coded, RequestTarget } from '../codec/codec.ts';
import { codecOf } from '../codec/codecs.ts';
import type { RequestOutline } from './request-outline.ts';
import { createToolMemory, type ToolMemory } from './tool-memory.ts';

/** A request that was read, and what {@link applyEdits} need not find out about its text again. */
export interface ReadRequest extends Coded<ModelCall> {
  readonly outline: RequestOutline;
}

/** Reads requests of one protocol whose lists of tools come again and again. */
export interface RequestReader {
  /**
   * @param body - The text or its UTF-8. The outline is one of what was given: of the text, or of the bytes.
   * @returns `undefined` where `readJson` and the codec have to be asked: the text is unusual, or wrong.
   * @throws ModelError as the codec does, for a body that is no request.
   */
  read(body: string | Uint8Array, target?: RequestTarget): ReadRequest | undefined;
}

/** Bounds of a reader. */
export interface RequestReaderOptions {
  /** Arrays and objects that may be open at once. */
  readonly maxDepth: number;
  /** Bytes of all lists of tools that are remembered, together. Default 1,048,576. */
  readonly maxRemembered?: number;
}

const REMEMBERED = ['tools', 'functions'] as const;

/** Makes a reader that remembers what lists of tools mean. Bodies may be of any length; noncharacters are let through. */
export function createRequestReader(protocol: Protocol, options: RequestReaderOptions): RequestReader {
  const { maxDepth, maxRemembered } = options;
  const codec = codecOf(protocol);
  const decoded = new WeakMap<object, readonly ModelTool[]>();
  // Places in a text and in its bytes are not the same.
  const inTexts = createToolMemory();
  const inBytes = createToolMemory();
  const reader = createOutlineReader({
    maxBytes: 'none',
    maxDepth,
    remember: REMEMBERED,
    ...(maxRemembered === undefined ? {} : { maxRemembered }),
  });
  return Object.freeze({
    read(body: string | Uint8Array, target?: RequestTarget) {
      const json = reader.read(body);
      if (json === undefined) return undefined;
      const { losses, value } = codec.decodeRequest(json.value, target, decoded);
      return { value, losses, outline: outlineOf(json, typeof body === 'string' ? inTexts : inBytes) };
    },
  });
}

function outlineOf({ end, members, start, value }: OutlinedJson, memory: ToolMemory): RequestOutline {
  return { body: { start, end, entries: members }, lists: memory.listsOf(value) };
}
