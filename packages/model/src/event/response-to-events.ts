import type { Item, MessageItem, ReasoningItem } from '../call/item.ts';
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
  const events: ModelEvent[] = [startOf(response)];
  const incomplete = new Set(response.incomplete);
  let index = 0;
  for (const item of response.items) {
    for (const block of blocksOf(item, incomplete)) {
      events.push(...block(index));
      index += 1;
    }
  }
  if (response.usage !== null) events.push({ kind: 'usage', usage: response.usage });
  events.push(terminalOf(response));
  return events.map((event) => Object.freeze(event));
}

type Block = (index: number) => readonly ModelEvent[];

function blocksOf(item: Item, incomplete: ReadonlySet<string>): readonly Block[] {
  switch (item.kind) {
    case 'message':
      return item.parts.map((_, position) => (index) => partEvents(item, position, index));
    case 'reasoning':
      return [(index) => reasoningEvents(item, index)];
    case 'tool-call': {
      const { callId, name, id, signature, extensions, arguments: text } = item;
      return [
        (index) => [
          {
            kind: 'call-start',
            index,
            callId,
            name,
            ...(id === undefined ? {} : { itemId: id }),
            ...(signature === undefined ? {} : { signature }),
            ...(extensions === undefined ? {} : { extensions }),
          },
          ...(text === '' ? [] : [{ kind: 'call-delta' as const, index, delta: text }]),
          ...(incomplete.has(callId)
            ? []
            : [{ kind: 'call-end' as const, index, callId, name, arguments: text }]),
        ],
      ];
    }
    case 'foreign':
      return [(index) => [{ kind: 'foreign', index, item }]];
    case 'tool-result':
      return [];
  }
}

function partEvents(message: MessageItem, position: number, index: number): readonly ModelEvent[] {
  const part = message.parts[position];
  if (part === undefined) return [];
  const around = {
    ...(message.id === undefined ? {} : { itemId: message.id }),
    ...(message.extensions === undefined || position > 0 ? {} : { message: message.extensions }),
  };
  if (part.kind === 'refusal') {
    return [
      { kind: 'refusal-start', index, ...around },
      ...(part.text === '' ? [] : [{ kind: 'refusal-delta' as const, index, text: part.text }]),
      { kind: 'refusal-end', index },
    ];
  }
  if (part.kind !== 'text') return [{ kind: 'part', index, part, ...around }];
  const { text, extensions } = part;
  return [
    { kind: 'text-start', index, ...around },
    ...(text === '' ? [] : [{ kind: 'text-delta' as const, index, text }]),
    { kind: 'text-end', index, ...(extensions === undefined ? {} : { extensions }) },
  ];
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
