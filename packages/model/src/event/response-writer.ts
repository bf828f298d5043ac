import type { Extensions } from '../call/extensions.ts';
import type { ForeignItem, OpaqueReasoning } from '../call/item.ts';
import type { FinishReason, Usage } from '../call/model-response.ts';
import type { Draft } from '../internal/draft.ts';
import { ModelError } from '../model-error.ts';
import { CALL_BEGUN, CALL_UNREAD, RUN_BEGUN, type UnreadCall } from './call-warning.ts';
import type { ModelEvent } from './model-event.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/** Fields of a block's start that the writer does not give itself. */
type StartOf<Kind extends ModelEvent['kind']> = Omit<EventOf<Kind>, 'kind' | 'index'>;

/** Textual blocks by the first word of their events. */
export type TextualKind = 'text' | 'refusal' | 'reasoning';

/**
 * Writes the events of one answer in a legal order; what all stream decoders share. Blocks that are still open when
 * the answer ends are closed, calls excepted: a call is finished only by `closeCall`.
 */
export interface ResponseWriter {
  /** Writes the start; later ones are ignored. */
  start(start: StartOf<'response-start'>): void;
  /** Reserves the next index. */
  reserve(): number;
  openText(kind: TextualKind, index: number, start?: StartOf<'text-start'>): void;
  text(index: number, text: string, summaryIndex?: number): void;
  /** All arguments of the call so far. Other texts are not kept: an answer has as many of them as it is long. */
  argumentsOf(index: number): string;
  isOpen(index: number): boolean;
  closeText(
    index: number,
    end?: { readonly opaque?: OpaqueReasoning | undefined; readonly extensions?: Extensions | undefined },
  ): void;
  /** Counts text that is held back; it counts again when it is written. */
  hold(text: string): void;
  openCall(index: number, start: StartOf<'call-start'>): void;
  callDelta(index: number, delta: string): void;
  closeCall(index: number): void;
  /** Whether a call was opened and not closed. */
  readonly hasOpenCall: boolean;
  /** How many calls were closed. */
  readonly closedCalls: number;
  part(index: number, part: Omit<EventOf<'part'>, 'kind' | 'index'>): void;
  foreign(index: number, item: ForeignItem): void;
  usage(usage: Usage): void;
  warning(code: string, detail: string): void;
  /** Says that something of a call came whose start is still to be told. */
  callBegun(index: number): void;
  /** Says that a tool of the provider was announced, which may run before the block is told. */
  runBegun(index: number): void;
  /** Says that calls came which have no events. */
  callsUnread(calls: readonly UnreadCall[]): void;
  finish(finish: FinishReason, end?: Omit<StartOf<'response-end'>, 'finish'>): void;
  fail(code: string, message: string, providerCode?: string): void;
  readonly started: boolean;
  readonly ended: boolean;
  /** The events since the last time. */
  take(): readonly ModelEvent[];
}

interface OpenBlock {
  readonly kind: TextualKind | 'call';
  readonly call?: StartOf<'call-start'>;
  arguments: string;
  open: boolean;
}

/**
 * Makes a writer for one answer.
 *
 * @param maxTotalLength - Bound of all text, thoughts and arguments together, in UTF-16 units; over it the writer
 *   throws ModelError `model/response-too-large`.
 */
export function createResponseWriter(maxTotalLength: number): ResponseWriter {
  const blocks = new Map<number, OpenBlock>();
  /** Mostly one at a time, for which a list that can grow would be made too large. */
  let events: ModelEvent[] | undefined;
  let next = 0;
  let total = 0;
  let openCalls = 0;

  const emit = (event: ModelEvent): void => {
    Object.freeze(event);
    if (events === undefined) events = [event];
    else events.push(event);
  };
  const count = (text: string): void => {
    total += text.length;
    if (total > maxTotalLength) {
      throw new ModelError(
        'model/response-too-large',
        `The answer is longer than ${maxTotalLength} characters.`,
      );
    }
  };
  const openOf = (index: number): OpenBlock | undefined => {
    const block = blocks.get(index);
    return block?.open === true ? block : undefined;
  };
  const closeText: ResponseWriter['closeText'] = (index, { opaque, extensions } = {}) => {
    const block = openOf(index);
    if (block === undefined || block.kind === 'call') return;
    block.open = false;
    const members = extensions === undefined ? {} : { extensions };
    if (block.kind === 'text') emit({ kind: 'text-end', index, ...members });
    else if (block.kind === 'refusal') emit({ kind: 'refusal-end', index });
    else emit({ kind: 'reasoning-end', index, ...(opaque === undefined ? {} : { opaque }), ...members });
  };
  const closeAll = (): void => {
    for (const index of blocks.keys()) closeText(index);
    writer.ended = true;
  };

  // Plain members that are kept up to date: with accessors each look at any member would be slow, and the object three times
  // as large.
  const writer: Draft<ResponseWriter> = {
    hasOpenCall: false,
    closedCalls: 0,
    started: false,
    ended: false,
    start(start) {
      if (writer.started) return;
      writer.started = true;
      emit({ kind: 'response-start', ...start });
    },
    reserve: () => next++,
    openText(kind, index, start = {}) {
      next = Math.max(next, index + 1);
      blocks.set(index, { kind, arguments: '', open: true });
      emit({ kind: `${kind}-start`, index, ...start });
    },
    text(index, text, summaryIndex) {
      const block = openOf(index);
      if (block === undefined || text === '') return;
      count(text);
      if (block.kind === 'text') emit({ kind: 'text-delta', index, text });
      else if (block.kind === 'refusal') emit({ kind: 'refusal-delta', index, text });
      else if (summaryIndex === undefined) emit({ kind: 'reasoning-delta', index, text });
      else emit({ kind: 'reasoning-delta', index, text, summary: true, summaryIndex });
    },
    argumentsOf: (index) => blocks.get(index)?.arguments ?? '',
    isOpen: (index) => openOf(index) !== undefined,
    closeText,
    hold: count,
    openCall(index, start) {
      // Whoever judges calls by their place would take the first one for the second.
      if (blocks.get(index)?.call !== undefined)
        throw new ModelError('model/stream-invalid', 'Two calls came at one place.');
      next = Math.max(next, index + 1);
      openCalls += 1;
      writer.hasOpenCall = true;
      blocks.set(index, { kind: 'call', call: start, arguments: '', open: true });
      emit({ kind: 'call-start', index, ...start });
    },
    callDelta(index, delta) {
      const block = openOf(index);
      if (block === undefined || delta === '') return;
      count(delta);
      block.arguments += delta;
      emit({ kind: 'call-delta', index, delta });
    },
    closeCall(index) {
      const block = openOf(index);
      if (block?.call === undefined) return;
      block.open = false;
      openCalls -= 1;
      writer.hasOpenCall = openCalls > 0;
      writer.closedCalls += 1;
      const { callId, name } = block.call;
      emit({ kind: 'call-end', index, callId, name, arguments: block.arguments });
    },
    part(index, part) {
      next = Math.max(next, index + 1);
      emit({ kind: 'part', index, ...part });
    },
    foreign(index, item) {
      next = Math.max(next, index + 1);
      emit({ kind: 'foreign', index, item });
    },
    usage: (usage) => emit({ kind: 'usage', usage }),
    warning: (code, detail) => emit({ kind: 'warning', code, detail }),
    callBegun: (index) =>
      emit({ kind: 'warning', code: CALL_BEGUN, detail: 'a call whose start is still to be told', index }),
    runBegun: (index) =>
      emit({ kind: 'warning', code: RUN_BEGUN, detail: 'a tool that the provider runs itself', index }),
    callsUnread: (calls) =>
      emit({ kind: 'warning', code: CALL_UNREAD, detail: 'calls that have no events', calls }),
    finish(finish, end = {}) {
      if (writer.ended) return;
      closeAll();
      emit({ kind: 'response-end', finish, ...end });
    },
    fail(code, message, providerCode) {
      if (writer.ended) return;
      if (writer.started) closeAll();
      writer.ended = true;
      emit({
        kind: 'response-error',
        code,
        message,
        ...(providerCode === undefined ? {} : { providerCode }),
      });
    },
    take() {
      const taken = events ?? [];
      events = undefined;
      return taken;
    },
  };
  return writer;
}
