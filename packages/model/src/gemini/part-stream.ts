import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import { BLOCK_COST } from '../codec/block-cost.ts';
import { keepUnread, toExtensions } from '../codec/extensions.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { decodePart, type PartContext, toSignature } from './decode-part.ts';
import { GEMINI } from './gemini-protocol.ts';
import { createStreamedCalls } from './streamed-calls.ts';

/** The parts of one streamed answer, one after the other. */
export interface PartStream {
  take(part: JsonObject, pointer: string): void;
  /** Closes the text that is open. */
  close(): void;
  /** Finishes all calls, where the answer was not cut off; those that did not come whole stay open. */
  closeCalls(whole: boolean): void;
}

const READ_TEXT = new Set(['text', 'thought']);

/** Makes the reader of one answer: texts of one kind that follow each other are one block, until a signature ends it. */
export function createPartStream(context: PartContext, writer: ResponseWriter): PartStream {
  const calls: number[] = [];
  const streamed = createStreamedCalls(
    context.reader,
    () => writer.reserve(),
    (index) => writer.callBegun(index),
  );
  let open: { readonly kind: 'text' | 'reasoning'; readonly index: number } | undefined;

  const close = (end: Parameters<ResponseWriter['closeText']>[1] = {}): void => {
    if (open === undefined) return;
    const mark = open.kind === 'reasoning' && end.opaque === undefined && end.extensions === undefined;
    writer.closeText(open.index, mark ? { extensions: toExtensions(GEMINI, { thought: true }) } : end);
    open = undefined;
  };

  const takeText = (part: JsonObject, text: string): void => {
    const kind = memberOf(part, 'thought') === true ? 'reasoning' : 'text';
    if (open?.kind !== kind) {
      close();
      writer.hold(BLOCK_COST);
      open = { kind, index: writer.reserve() };
      writer.openText(kind, open.index);
    }
    writer.text(open.index, text);
    const signature = textOf(part, 'thoughtSignature');
    const extensions: Extensions | undefined = keepUnread(GEMINI, part, READ_TEXT);
    if (kind === 'text' && extensions !== undefined) close({ extensions });
    if (kind === 'reasoning' && signature !== undefined) close({ opaque: toSignature(signature) });
  };

  const takeOther = (part: JsonObject, pointer: string, index = writer.reserve()): void => {
    const decoded = decodePart(context, part, 'assistant', pointer);
    writer.hold(BLOCK_COST);
    if ('part' in decoded) {
      if (decoded.part.kind !== 'text' && decoded.part.kind !== 'refusal')
        writer.part(index, { part: decoded.part });
      return;
    }
    const { item } = decoded;
    if (item.kind === 'foreign') writer.foreign(index, item);
    if (item.kind !== 'tool-call') return;
    const { callId, name, signature, extensions } = item;
    writer.openCall(index, {
      callId,
      name,
      ...(signature === undefined ? {} : { signature }),
      ...(extensions === undefined ? {} : { extensions }),
    });
    writer.callDelta(index, item.arguments);
    calls.push(index);
  };

  return {
    take(part, pointer) {
      const text = textOf(part, 'text');
      const call = memberOf(part, 'functionCall');
      if (text !== undefined && call === undefined) {
        takeText(part, text);
        return;
      }
      close();
      if (!isJsonObject(call)) {
        takeOther(part, pointer);
        return;
      }
      const whole = streamed.take(part, call, pointer);
      if (whole === undefined) writer.hold(BLOCK_COST + JSON.stringify(call));
      else takeOther(whole.part, pointer, whole.index);
    },
    close,
    closeCalls(whole) {
      if (whole) for (const index of calls) writer.closeCall(index);
      for (const { part, index } of streamed.open()) takeOther(part, '/candidates/0/content/parts', index);
    },
  };
}
