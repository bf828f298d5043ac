import type { Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { Extensions } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import type { ModelEvent } from './model-event.ts';

/** The fixed sentence of a failure whose words are not ours to pass on. */
const FAILED = 'The model provider reported a failure.';

/**
 * Streams a whole answer: the events that `collectResponse` joins to it again, one delta a block.
 *
 * Two neighbouring messages with the same id (or both without one) come back as one, as the events define it.
 */
export function responseToEvents(response: ModelResponse): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  const push = (event: ModelEvent): void => {
    events.push(Object.freeze(event));
  };
  push(startOf(response));
  const { items, usage } = response;
  const incomplete = response.incomplete === undefined ? undefined : new Set(response.incomplete);
  let index = 0;
  for (const item of items) index += pushItem(item, index, incomplete, push);
  if (usage !== null) push({ kind: 'usage', usage });
  push(terminalOf(response));
  return events;
}

type Push = (event: ModelEvent) => void;

/** The events of one item, whose blocks begin at an index. Returns how many blocks it has. */
function pushItem(
  item: Item,
  index: number,
  incomplete: ReadonlySet<string> | undefined,
  push: Push,
): number {
  switch (item.kind) {
    case 'message':
      for (let at = 0; at < item.parts.length; at += 1) pushPart(item, at, index + at, push);
      return item.parts.length;
    case 'reasoning':
      for (const event of reasoningEvents(item, index)) push(event);
      return 1;
    case 'tool-call':
      pushCall(item, index, incomplete?.has(item.callId) !== true, push);
      return 1;
    case 'foreign':
      push({ kind: 'foreign', index, item });
      return 1;
    case 'tool-result':
      return 0;
  }
}

function pushCall(item: ToolCallItem, index: number, isWhole: boolean, push: Push): void {
  const { callId, name, id, signature, extensions, arguments: text } = item;
  const start = { kind: 'call-start', index, callId, name } as const;
  const bare = id === undefined && signature === undefined && extensions === undefined;
  push(
    bare
      ? start
      : {
          ...start,
          ...(id === undefined ? {} : { itemId: id }),
          ...(signature === undefined ? {} : { signature }),
          ...(extensions === undefined ? {} : { extensions }),
        },
  );
  if (text !== '') push({ kind: 'call-delta', index, delta: text });
  if (isWhole) push({ kind: 'call-end', index, callId, name, arguments: text });
}

function pushPart(message: MessageItem, position: number, index: number, push: Push): void {
  const part = message.parts[position];
  if (part === undefined) return;
  const around = aroundOf(message, position);
  if (part.kind === 'refusal') {
    push({ kind: 'refusal-start', index, ...around });
    if (part.text !== '') push({ kind: 'refusal-delta', index, text: part.text });
    push({ kind: 'refusal-end', index });
  } else if (part.kind === 'text') {
    const { text, extensions } = part;
    push({ kind: 'text-start', index, ...around });
    if (text !== '') push({ kind: 'text-delta', index, text });
    push(extensions === undefined ? { kind: 'text-end', index } : { kind: 'text-end', index, extensions });
  } else push({ kind: 'part', index, part, ...around });
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
  return {
    kind: 'response-start',
    id,
    model,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(extensions === undefined ? {} : { extensions }),
  };
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
  return {
    kind: 'response-end',
    finish,
    ...(finishDetail === undefined ? {} : { finishDetail }),
    ...(stopSequence === undefined ? {} : { stopSequence }),
    ...(extensions === undefined ? {} : { extensions }),
  };
}
