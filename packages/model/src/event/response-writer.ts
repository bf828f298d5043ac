import type { JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ForeignItem, OpaqueReasoning } from '../call/item.ts';
import type { FinishReason, Usage } from '../call/model-response.ts';
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
  /** The same for a text of this length. */
  holdLength(length: number): void;
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
  /** Whether there is nothing to be taken. */
  readonly isSilent: boolean;
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
  return new Writer(maxTotalLength);
}

/** A class, as there is one for each stream: two dozen closures would take a kilobyte and a half. */
class Writer implements ResponseWriter {
  readonly #maxTotalLength: number;
  readonly #blocks: Map<number, OpenBlock> = new Map();
  /** Mostly one at a time, for which a list that can grow would be made too large. */
  #events: ModelEvent[] | undefined = undefined;
  #next = 0;
  #total = 0;
  #openCalls = 0;
  // Plain members that are kept up to date: with accessors each look at any member would be slow.
  hasOpenCall = false;
  closedCalls = 0;
  started = false;
  ended = false;

  constructor(maxTotalLength: number) {
    this.#maxTotalLength = maxTotalLength;
  }

  start(start: StartOf<'response-start'>): void {
    if (this.started) return;
    this.started = true;
    this.#emit({ kind: 'response-start', ...start });
  }

  reserve(): number {
    return this.#next++;
  }

  openText(kind: TextualKind, index: number, start: StartOf<'text-start'> = {}): void {
    this.#next = Math.max(this.#next, index + 1);
    this.#holdAll(start);
    this.#blocks.set(index, { kind, arguments: '', open: true });
    this.#emit({ kind: `${kind}-start`, index, ...start });
  }

  text(index: number, text: string, summaryIndex?: number): void {
    const block = this.#openOf(index);
    if (block === undefined || text === '') return;
    this.hold(text);
    if (block.kind === 'text') this.#emit({ kind: 'text-delta', index, text });
    else if (block.kind === 'refusal') this.#emit({ kind: 'refusal-delta', index, text });
    else if (summaryIndex === undefined) this.#emit({ kind: 'reasoning-delta', index, text });
    else this.#emit({ kind: 'reasoning-delta', index, text, summary: true, summaryIndex });
  }

  argumentsOf(index: number): string {
    return this.#blocks.get(index)?.arguments ?? '';
  }

  isOpen(index: number): boolean {
    return this.#openOf(index) !== undefined;
  }

  closeText(
    index: number,
    { opaque, extensions }: NonNullable<Parameters<ResponseWriter['closeText']>[1]> = {},
  ): void {
    const block = this.#openOf(index);
    if (block === undefined || block.kind === 'call') return;
    block.open = false;
    this.#holdAll(opaque);
    this.#holdAll(extensions);
    const members = extensions === undefined ? {} : { extensions };
    if (block.kind === 'text') this.#emit({ kind: 'text-end', index, ...members });
    else if (block.kind === 'refusal') this.#emit({ kind: 'refusal-end', index });
    else
      this.#emit({ kind: 'reasoning-end', index, ...(opaque === undefined ? {} : { opaque }), ...members });
  }

  hold(text: string): void {
    this.holdLength(text.length);
  }

  holdLength(length: number): void {
    this.#total += length;
    if (this.#total > this.#maxTotalLength) {
      throw new ModelError(
        'model/response-too-large',
        `The answer is longer than ${this.#maxTotalLength} characters.`,
      );
    }
  }

  openCall(index: number, start: StartOf<'call-start'>): void {
    // Whoever judges calls by their place would take the first one for the second.
    if (this.#blocks.get(index)?.call !== undefined)
      throw new ModelError('model/stream-invalid', 'Two calls came at one place.');
    this.#next = Math.max(this.#next, index + 1);
    this.#holdAll(start);
    this.#openCalls += 1;
    this.hasOpenCall = true;
    this.#blocks.set(index, { kind: 'call', call: start, arguments: '', open: true });
    this.#emit({ kind: 'call-start', index, ...start });
  }

  callDelta(index: number, delta: string): void {
    const block = this.#openOf(index);
    if (block === undefined || delta === '') return;
    this.hold(delta);
    block.arguments += delta;
    this.#emit({ kind: 'call-delta', index, delta });
  }

  closeCall(index: number): void {
    const block = this.#openOf(index);
    if (block?.call === undefined) return;
    block.open = false;
    this.#openCalls -= 1;
    this.hasOpenCall = this.#openCalls > 0;
    this.closedCalls += 1;
    const { callId, name } = block.call;
    this.#emit({ kind: 'call-end', index, callId, name, arguments: block.arguments });
  }

  part(index: number, part: Omit<EventOf<'part'>, 'kind' | 'index'>): void {
    this.#next = Math.max(this.#next, index + 1);
    this.#holdAll(part);
    this.#emit({ kind: 'part', index, ...part });
  }

  foreign(index: number, item: ForeignItem): void {
    this.#next = Math.max(this.#next, index + 1);
    this.#holdAll(item.value);
    this.#emit({ kind: 'foreign', index, item });
  }

  usage(usage: Usage): void {
    this.#emit({ kind: 'usage', usage });
  }

  warning(code: string, detail: string): void {
    this.#emit({ kind: 'warning', code, detail });
  }

  callBegun(index: number): void {
    this.#emit({
      kind: 'warning',
      code: CALL_BEGUN,
      detail: 'a call whose start is still to be told',
      index,
    });
  }

  runBegun(index: number): void {
    this.#emit({ kind: 'warning', code: RUN_BEGUN, detail: 'a tool that the provider runs itself', index });
  }

  callsUnread(calls: readonly UnreadCall[]): void {
    this.#emit({ kind: 'warning', code: CALL_UNREAD, detail: 'calls that have no events', calls });
  }

  finish(finish: FinishReason, end: Omit<StartOf<'response-end'>, 'finish'> = {}): void {
    if (this.ended) return;
    this.#closeAll();
    this.#emit({ kind: 'response-end', finish, ...end });
  }

  fail(code: string, message: string, providerCode?: string): void {
    if (this.ended) return;
    if (this.started) this.#closeAll();
    this.ended = true;
    this.#emit({
      kind: 'response-error',
      code,
      message,
      ...(providerCode === undefined ? {} : { providerCode }),
    });
  }

  get isSilent(): boolean {
    return this.#events === undefined;
  }

  take(): readonly ModelEvent[] {
    const taken = this.#events ?? [];
    this.#events = undefined;
    return taken;
  }

  /** Members of all kinds count like text: there may be as many of them, and as long. */
  #holdAll(members: JsonValue | object | undefined): void {
    if (members !== undefined) this.hold(JSON.stringify(members));
  }

  #emit(event: ModelEvent): void {
    Object.freeze(event);
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }

  #openOf(index: number): OpenBlock | undefined {
    const block = this.#blocks.get(index);
    return block?.open === true ? block : undefined;
  }

  #closeAll(): void {
    for (const index of this.#blocks.keys()) this.closeText(index);
    this.ended = true;
  }
}
