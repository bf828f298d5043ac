import type { Extensions } from '../call/extensions.ts';
import type { Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import type { Draft } from '../internal/draft.ts';
import type { ModelEvent } from './model-event.ts';

/** The fixed sentence of a failure whose words are not ours to pass on. */
const FAILED = 'The model provider reported a failure.';

/**
 * Streams a whole answer: the events that `collectResponse` joins to it again, one delta a block.
 *
 * Two neighbouring messages with the same id (or both without one) come back as one, as the events define it.
 */
export function responseToEvents(response: ModelResponse): readonly ModelEvent[] {
  const { items, usage } = response;
  const events: ModelEvent[] = [startOf(response)];
  const incomplete = response.incomplete === undefined ? undefined : new Set(response.incomplete);
  let index = 0;
  // By place: an engine walks a frozen list by iterator at several times the cost.
  for (let place = 0; place < items.length; place += 1) {
    const item = items[place];
    if (item !== undefined) index += pushItem(item, index, incomplete, events);
  }
  if (usage !== null) events.push({ kind: 'usage', usage });
  events.push(terminalOf(response));
  for (const event of events) Object.freeze(event);
  return events;
}

/** Adds the events of one item, whose blocks begin at an index. Returns how many blocks it has. */
function pushItem(
  item: Item,
  index: number,
  incomplete: ReadonlySet<string> | undefined,
  events: ModelEvent[],
): number {
  switch (item.kind) {
    case 'message':
      for (let at = 0; at < item.parts.length; at += 1) pushPart(item, at, index + at, events);
      return item.parts.length;
    case 'reasoning':
      for (const event of reasoningEvents(item, index)) events.push(event);
      return 1;
    case 'tool-call':
      pushCall(item, index, incomplete?.has(item.callId) !== true, events);
      return 1;
    case 'foreign':
      events.push({ kind: 'foreign', index, item });
      return 1;
    case 'tool-result':
      return 0;
  }
}

function pushCall(item: ToolCallItem, index: number, isWhole: boolean, events: ModelEvent[]): void {
  const { callId, name, id, signature, extensions, arguments: text } = item;
  const start: Draft<Extract<ModelEvent, { kind: 'call-start' }>> = {
    kind: 'call-start',
    index,
    callId,
    name,
  };
  if (id !== undefined) start.itemId = id;
  if (signature !== undefined) start.signature = signature;
  if (extensions !== undefined) start.extensions = extensions;
  events.push(start);
  if (text !== '') events.push({ kind: 'call-delta', index, delta: text });
  if (isWhole) events.push({ kind: 'call-end', index, callId, name, arguments: text });
}

function pushPart(message: MessageItem, position: number, index: number, events: ModelEvent[]): void {
  const part = message.parts[position];
  if (part === undefined) return;
  const around = aroundOf(message, position);
  if (part.kind === 'refusal') {
    events.push(
      around === undefined ? { kind: 'refusal-start', index } : { kind: 'refusal-start', index, ...around },
    );
    if (part.text !== '') events.push({ kind: 'refusal-delta', index, text: part.text });
    events.push({ kind: 'refusal-end', index });
  } else if (part.kind === 'text') {
    const { text, extensions } = part;
    events.push(
      around === undefined ? { kind: 'text-start', index } : { kind: 'text-start', index, ...around },
    );
    if (text !== '') events.push({ kind: 'text-delta', index, text });
    events.push(
      extensions === undefined ? { kind: 'text-end', index } : { kind: 'text-end', index, extensions },
    );
  } else events.push({ kind: 'part', index, part, ...around });
}

/** What the first event of a part says about its message. */
function aroundOf({ id, extensions }: MessageItem, position: number): Around | undefined {
  const told = position > 0 ? undefined : extensions;
  if (id === undefined && told === undefined) return undefined;
  return {
    ...(id === undefined ? {} : { itemId: id }),
    ...(told === undefined ? {} : { message: told }),
  };
}

interface Around {
  readonly itemId?: string;
  readonly message?: Extensions;
}

function reasoningEvents(item: ReasoningItem, index: number): readonly ModelEvent[] {
  const { text, summary = [], opaque, id, extensions } = item;
  return [
    { kind: 'reasoning-start', index, ...(id === undefined ? {} : { itemId: id }) },
    ...summary.map((part, summaryIndex) => {
      return { kind: 'reasoning-delta' as const, index, text: part, summary: true, summaryIndex };
    }),
    ...(text === undefined ? [] : [{ kind: 'reasoning-delta' as const, index, text }]),
    {
      kind: 'reasoning-end',
      index,
      ...(opaque === undefined ? {} : { opaque }),
      ...(extensions === undefined ? {} : { extensions }),
    },
  ];
}

function startOf({ id, model, createdAt, extensions }: ModelResponse): ModelEvent {
  const start: Draft<Extract<ModelEvent, { kind: 'response-start' }>> = { kind: 'response-start', id, model };
  if (createdAt !== undefined) start.createdAt = createdAt;
  if (extensions !== undefined) start.extensions = extensions;
  return start;
}

function terminalOf(response: ModelResponse): ModelEvent {
  const { finish, finishDetail, stopSequence, extensions } = response;
  if (finish === 'error') {
    const ours = finishDetail?.startsWith('model/') === true;
    return {
      kind: 'response-error',
      code: ours ? finishDetail : 'model/provider-error',
      message: FAILED,
      ...(ours || finishDetail === undefined ? {} : { providerCode: finishDetail }),
    };
  }
  const end: Draft<Extract<ModelEvent, { kind: 'response-end' }>> = { kind: 'response-end', finish };
  if (finishDetail !== undefined) end.finishDetail = finishDetail;
  if (stopSequence !== undefined) end.stopSequence = stopSequence;
  if (extensions !== undefined) end.extensions = extensions;
  return end;
}
