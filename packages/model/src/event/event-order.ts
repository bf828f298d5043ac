import { ModelError } from '../model-error.ts';
import type { ModelEvent } from './model-event.ts';

/** Watches one event sequence for the order rules of {@link ModelEvent}. */
export interface EventOrder {
  /** @throws ModelError `model/stream-invalid` for an event that may not come here. */
  push(event: ModelEvent): void;
  /** @throws ModelError `model/stream-incomplete` when no terminal event came. */
  end(): void;
}

type BlockKind = 'text' | 'refusal' | 'reasoning' | 'call' | 'whole';

interface Block {
  readonly kind: BlockKind;
  open: boolean;
  readonly callId?: string;
  readonly name?: string;
  text: string;
}

type BlockEvent = Extract<ModelEvent, { readonly index: number }>;

/** Makes a checker for one sequence. */
export function createEventOrder(): EventOrder {
  const blocks = new Map<number, Block>();
  let state: 'new' | 'open' | 'ended' = 'new';

  return Object.freeze({
    push(event: ModelEvent) {
      if (state === 'ended') throw invalid('nothing may follow the terminal event');
      if (event.kind === 'warning') return;
      if (event.kind === 'response-error') {
        state = 'ended';
        return;
      }
      if (event.kind === 'response-start') {
        if (state === 'open') throw invalid('a response starts once');
        state = 'open';
        return;
      }
      if (state === 'new') throw invalid('a response begins with its start');
      if (event.kind === 'usage') return;
      if (event.kind !== 'response-end') {
        checkBlock(blocks, event);
        return;
      }
      for (const block of blocks.values()) {
        if (block.open && block.kind !== 'call') throw invalid('only a call may stay open at the end');
      }
      state = 'ended';
    },
    end() {
      if (state === 'ended') return;
      throw new ModelError('model/stream-incomplete', 'The events ended without a terminal event.');
    },
  });
}

function checkBlock(blocks: Map<number, Block>, event: BlockEvent): void {
  switch (event.kind) {
    case 'text-start':
    case 'refusal-start':
    case 'reasoning-start': {
      const kind = kindOf(event.kind);
      if (event.continues !== undefined) {
        const earlier = blocks.get(event.continues);
        if (earlier === undefined || earlier.open || earlier.kind !== kind) {
          throw invalid('a block continues a closed block of its kind');
        }
      }
      open(blocks, event.index, { kind, open: true, text: '' });
      return;
    }
    case 'call-start':
      open(blocks, event.index, {
        kind: 'call',
        open: true,
        callId: event.callId,
        name: event.name,
        text: '',
      });
      return;
    case 'part':
    case 'foreign':
      open(blocks, event.index, { kind: 'whole', open: false, text: '' });
      return;
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      openBlock(blocks, event.index, kindOf(event.kind));
      return;
    case 'call-delta':
      openBlock(blocks, event.index, 'call').text += event.delta;
      return;
    case 'text-end':
    case 'refusal-end':
    case 'reasoning-end':
      openBlock(blocks, event.index, kindOf(event.kind)).open = false;
      return;
    case 'call-end': {
      const block = openBlock(blocks, event.index, 'call');
      if (block.callId !== event.callId || block.name !== event.name || block.text !== event.arguments) {
        throw invalid('the end of a call repeats its id, its name and its joined argument text');
      }
      block.open = false;
    }
  }
}

function kindOf(kind: `${'text' | 'refusal' | 'reasoning'}-${'start' | 'delta' | 'end'}`): BlockKind {
  if (kind.startsWith('text')) return 'text';
  return kind.startsWith('refusal') ? 'refusal' : 'reasoning';
}

function open(blocks: Map<number, Block>, index: number, block: Block): void {
  if (!Number.isSafeInteger(index) || index < 0) throw invalid('an index is a whole number from 0');
  if (blocks.has(index)) throw invalid('an index names one block');
  blocks.set(index, block);
}

function openBlock(blocks: ReadonlyMap<number, Block>, index: number, kind: BlockKind): Block {
  const block = blocks.get(index);
  if (block === undefined || !block.open || block.kind !== kind) {
    throw invalid('deltas and ends belong to an open block of their kind');
  }
  return block;
}

function invalid(rule: string): ModelError {
  return new ModelError('model/stream-invalid', `The events are out of order: ${rule}.`);
}
