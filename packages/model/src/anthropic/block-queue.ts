import { freezeJson, isJsonObject, type JsonObject } from '@toolgate/core';
import { toAnswerArguments } from '../codec/argument-object.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray } from '../codec/wire-reader.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { writeSseMessage } from '../sse/sse-writer.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { encodeAnswerPart } from './encode-content.ts';
import { type BlockWriter, createStreamThought } from './stream-thought.ts';

type BlockEvent = Extract<ModelEvent, { readonly index: number }>;
type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/** The blocks of one streamed answer, put one behind the other. */
export interface BlockQueue {
  /** The wire text that this event makes possible. */
  push(event: BlockEvent): string;
  /** Everything that still waits behind a block that was never closed. */
  flush(): string;
  readonly closedCalls: number;
  readonly hasOpenCall: boolean;
}

/** Makes the queue of one answer. */
export function createBlockQueue(losses: LossLog): BlockQueue {
  const waiting = new Map<number, BlockEvent[]>();
  const openCalls = new Set<number>();
  let current: number | undefined;
  let position = 0;
  let closedCalls = 0;

  const write = (type: string, members: JsonObject): string => {
    return writeSseMessage({ event: type, data: JSON.stringify({ type, index: position, ...members }) });
  };
  const writer: BlockWriter = {
    start: (block) => write('content_block_start', { content_block: block }),
    delta: (members) => write('content_block_delta', { delta: members }),
    stop: () => {
      const text = write('content_block_stop', {});
      position += 1;
      return text;
    },
  };
  const emit = createBlockEmitter(writer, losses);

  /** Writes what belongs to the open block, then what waits behind it, until a block stays open. */
  const advance = (): string => {
    let text = '';
    for (;;) {
      const next = current ?? waiting.keys().next().value;
      const events = next === undefined ? undefined : waiting.get(next);
      if (next === undefined || events === undefined) return text;
      waiting.delete(next);
      current = next;
      for (const event of events) {
        text += emit(event);
        if (isLast(event)) current = undefined;
      }
    }
  };

  return {
    push(event) {
      if (event.kind === 'call-start') openCalls.add(event.index);
      if (event.kind === 'call-end') {
        openCalls.delete(event.index);
        closedCalls += 1;
      }
      if (event.index === current && waiting.size === 0) {
        if (isLast(event)) current = undefined;
        return emit(event);
      }
      const known = waiting.get(event.index);
      if (known === undefined) waiting.set(event.index, [event]);
      else known.push(event);
      return advance();
    },
    flush() {
      let text = '';
      while (waiting.size > 0) {
        // The open block is a call that nobody finished: it stays without its stop.
        if (current !== undefined) position += 1;
        current = undefined;
        text += advance();
      }
      return text;
    },
    get closedCalls() {
      return closedCalls;
    },
    get hasOpenCall() {
      return openCalls.size > 0;
    },
  };
}

function isLast({ kind }: BlockEvent): boolean {
  return kind.endsWith('-end') || kind === 'part' || kind === 'foreign';
}

function createBlockEmitter(writer: BlockWriter, losses: LossLog): (event: BlockEvent) => string {
  const { start, delta, stop } = writer;
  const thought = createStreamThought(writer, losses);

  const startText = ({ index, itemId, message }: EventOf<'text-start' | 'refusal-start'>): string => {
    const path = `/items/${index}`;
    if (itemId !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
    if (message !== undefined) {
      losses.add('dropped', `${path}/extensions`, 'info', 'members of a message have no place here');
    }
    return start({ type: 'text', text: '', citations: null });
  };

  const endText = ({ index, extensions }: EventOf<'text-end'>): string => {
    const members = takeExtensions(ANTHROPIC, extensions, `/items/${index}`, losses, { severity: 'info' });
    const { citations } = members;
    const listed = isJsonArray(citations) ? citations : [];
    return listed.map((citation) => delta({ type: 'citations_delta', citation })).join('') + stop();
  };

  const startCall = (event: EventOf<'call-start'>): string => {
    const path = `/items/${event.index}`;
    if (event.signature !== undefined) {
      losses.add('dropped', `${path}/signature`, 'warning', 'a thought signature of another route');
    }
    if (event.itemId !== undefined)
      losses.add('dropped', `${path}/id`, 'info', 'calls have no item ids here');
    const members = takeExtensions(ANTHROPIC, event.extensions, path, losses, { severity: 'info' });
    return start({ ...members, type: 'tool_use', id: event.callId, name: event.name, input: {} });
  };

  /** Nothing at all is an empty object to clients; blanks that are out need one behind them. */
  const endCall = ({ arguments: text, index }: EventOf<'call-end'>): string => {
    const said = text === '' ? text : toAnswerArguments(text, `/items/${index}/arguments`, losses);
    return said === text ? stop() : delta({ type: 'input_json_delta', partial_json: said }) + stop();
  };

  const foreign = ({ index, item }: EventOf<'foreign'>): string => {
    if (item.protocol !== ANTHROPIC || !isJsonObject(item.value)) {
      losses.add('refused', `/items/${index}`, 'error', 'an item that only its own protocol understands');
      return '';
    }
    const { input, type } = item.value;
    if (type === 'compaction') return compaction(item.value);
    if (type !== 'server_tool_use' || !isJsonObject(input)) return start(item.value) + stop();
    // Clients read the input of a streamed call from its deltas.
    const head = start({ ...item.value, input: freezeJson({}) });
    return head + delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }) + stop();
  };

  /** Clients read the summary of a conversation from the delta of its block. */
  const compaction = ({ content = null, encrypted_content, ...head }: JsonObject): string => {
    const more = encrypted_content === undefined ? {} : { encrypted_content };
    const said = delta({ type: 'compaction_delta', content, ...more });
    return start({ ...head, content: null }) + said + stop();
  };

  return (event) => {
    switch (event.kind) {
      case 'refusal-start':
        losses.add('approximated', `/items/${event.index}`, 'warning', 'a refusal is written as text here');
        return startText(event);
      case 'text-start':
        return startText(event);
      case 'text-delta':
      case 'refusal-delta':
        return delta({ type: 'text_delta', text: event.text });
      case 'text-end':
        return endText(event);
      case 'reasoning-start':
        return thought.start(event);
      case 'reasoning-delta':
        return thought.delta(event);
      case 'reasoning-end':
        return thought.end(event);
      case 'call-start':
        return startCall(event);
      case 'call-delta':
        return delta({ type: 'input_json_delta', partial_json: event.delta });
      case 'call-end':
        return endCall(event);
      case 'refusal-end':
        return stop();
      case 'part':
        return encodeAnswerPart(event.part, `/items/${event.index}`, losses)
          .map((block) => start(block) + stop())
          .join('');
      case 'foreign':
        return foreign(event);
    }
  };
}
