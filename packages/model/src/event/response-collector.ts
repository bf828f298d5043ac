import type { ModelResponse } from '../call/model-response.ts';
import { type CollectedBlock, toItems } from './collected-block.ts';
import { createEventOrder } from './event-order.ts';
import type { ModelEvent } from './model-event.ts';

/** Gathers the events of one answer; state of that answer only. */
export interface ResponseCollector {
  /** @throws ModelError `model/stream-invalid` for an event out of order. */
  push(event: ModelEvent): void;
  /** What was gathered so far; before the terminal event it is an answer that broke off. */
  response(): ModelResponse;
}

type Terminal = Extract<ModelEvent, { readonly kind: 'response-end' | 'response-error' }>;
type Start = Extract<ModelEvent, { readonly kind: 'response-start' }>;

/**
 * Makes a collector. A failed answer, or one without a terminal event, has the finish `error`, the provider's or our
 * code as `finishDetail`, and all its calls in `incomplete`, finished or not: no call of a broken turn may run.
 */
export function createResponseCollector(): ResponseCollector {
  const order = createEventOrder();
  const blocks = new Map<number, CollectedBlock>();
  let start: Start | undefined;
  let terminal: Terminal | undefined;
  let usage: ModelResponse['usage'] = null;

  return Object.freeze({
    push(event: ModelEvent) {
      order.push(event);
      if (event.kind === 'warning') return;
      if (event.kind === 'response-start') start = event;
      else if (event.kind === 'usage') usage = event.usage;
      else if (event.kind === 'response-end' || event.kind === 'response-error') terminal = event;
      else addBlockEvent(blocks, event);
    },
    response() {
      const calls = [...blocks].sort(([left], [right]) => left - right).map(([, block]) => block);
      const broken = terminal?.kind !== 'response-end';
      const incomplete = calls.flatMap((block) => {
        return block.kind === 'call' && (broken || !block.ended) ? [block.start.callId] : [];
      });
      const extensions =
        (terminal?.kind === 'response-end' ? terminal.extensions : undefined) ?? start?.extensions;
      return Object.freeze({
        id: start?.id ?? null,
        model: start?.model ?? null,
        items: Object.freeze(toItems(blocks)),
        ...finishOf(terminal),
        ...(incomplete.length === 0 ? {} : { incomplete: Object.freeze(incomplete) }),
        usage,
        ...(start?.createdAt === undefined ? {} : { createdAt: start.createdAt }),
        ...(extensions === undefined ? {} : { extensions }),
      });
    },
  });
}

function finishOf(
  terminal: Terminal | undefined,
): Pick<ModelResponse, 'finish' | 'finishDetail' | 'stopSequence'> {
  if (terminal?.kind !== 'response-end') {
    return {
      finish: 'error',
      finishDetail: terminal?.providerCode ?? terminal?.code ?? 'model/stream-incomplete',
    };
  }
  const { finish, finishDetail, stopSequence } = terminal;
  return {
    finish,
    ...(finishDetail === undefined ? {} : { finishDetail }),
    ...(stopSequence === undefined ? {} : { stopSequence }),
  };
}

type BlockEvent = Extract<ModelEvent, { readonly index: number }>;

function addBlockEvent(blocks: Map<number, CollectedBlock>, event: BlockEvent): void {
  const block = blocks.get(event.index);
  switch (event.kind) {
    case 'text-start':
    case 'refusal-start':
      blocks.set(event.index, {
        kind: event.kind === 'text-start' ? 'text' : 'refusal',
        start: event,
        text: '',
      });
      return;
    case 'reasoning-start':
      blocks.set(event.index, { kind: 'reasoning', start: event, text: undefined, summary: [] });
      return;
    case 'call-start':
      blocks.set(event.index, { kind: 'call', start: event, text: '', ended: false });
      return;
    case 'part':
    case 'foreign':
      blocks.set(event.index, { kind: 'whole', event });
      return;
    case 'text-delta':
    case 'refusal-delta':
      if (block?.kind === 'text' || block?.kind === 'refusal') block.text += event.text;
      return;
    case 'text-end':
      if (block?.kind === 'text' && event.extensions !== undefined) block.extensions = event.extensions;
      return;
    case 'refusal-end':
      return;
    case 'reasoning-delta':
      if (block?.kind !== 'reasoning') return;
      if (event.summary !== true) block.text = (block.text ?? '') + event.text;
      else addSummary(block.summary, event.summaryIndex ?? 0, event.text);
      return;
    case 'reasoning-end':
      if (block?.kind === 'reasoning') block.end = event;
      return;
    case 'call-delta':
      if (block?.kind === 'call') block.text += event.delta;
      return;
    case 'call-end':
      if (block?.kind === 'call') block.ended = true;
  }
}

function addSummary(summary: string[], index: number, text: string): void {
  // A gap is filled, but only by as much as there are deltas: an index is no count.
  const at = Math.min(index, summary.length);
  summary[at] = (summary[at] ?? '') + text;
}
