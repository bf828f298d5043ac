import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { ModelEvent } from './model-event.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/** One block while its events are gathered. */
export type CollectedBlock = TextBlock | ReasoningBlock | CallBlock | WholeBlock;

interface TextBlock {
  readonly kind: 'text' | 'refusal';
  readonly start: EventOf<'text-start' | 'refusal-start'>;
  text: string;
  extensions?: Extensions;
}

interface ReasoningBlock {
  readonly kind: 'reasoning';
  readonly start: EventOf<'reasoning-start'>;
  text: string | undefined;
  readonly summary: string[];
  end?: EventOf<'reasoning-end'>;
}

interface CallBlock {
  readonly kind: 'call';
  readonly start: EventOf<'call-start'>;
  text: string;
  ended: boolean;
}

interface WholeBlock {
  readonly kind: 'whole';
  readonly event: EventOf<'part' | 'foreign'>;
}

interface OpenMessage {
  readonly id: string | undefined;
  readonly extensions: Extensions | undefined;
  readonly parts: ContentPart[];
}

/** Turns gathered blocks into the items of a response, in the order of their indexes. */
export function toItems(blocks: ReadonlyMap<number, CollectedBlock>): Item[] {
  const texts = joinContinuations(blocks);
  const items: Item[] = [];
  let message: OpenMessage | undefined;
  const flush = (): void => {
    if (message !== undefined) items.push(toMessage(message));
    message = undefined;
  };
  const part = (added: ContentPart, id: string | undefined, extensions: Extensions | undefined): void => {
    if (message !== undefined && message.id !== id) flush();
    message ??= { id, extensions, parts: [] };
    message.parts.push(added);
  };

  for (const [index, block] of [...blocks].sort(([left], [right]) => left - right)) {
    switch (block.kind) {
      case 'text':
      case 'refusal':
        if (block.start.continues === undefined) {
          part(toTextPart(block, texts.get(index) ?? block.text), block.start.itemId, block.start.message);
        }
        break;
      case 'reasoning':
        if (block.start.continues !== undefined) break;
        flush();
        items.push(toReasoning(block, texts.get(index) ?? block.text));
        break;
      case 'call':
        flush();
        items.push(toCall(block));
        break;
      case 'whole':
        if (block.event.kind === 'part') {
          part(block.event.part, block.event.itemId, block.event.message);
        } else {
          flush();
          items.push(block.event.item);
        }
    }
  }
  flush();
  return items;
}

/** The whole text of each block that others continue, by its index. */
function joinContinuations(blocks: ReadonlyMap<number, CollectedBlock>): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  const roots = new Map<number, number>();
  for (const [index, block] of blocks) {
    if (block.kind === 'call' || block.kind === 'whole' || block.start.continues === undefined) continue;
    const root = roots.get(block.start.continues) ?? block.start.continues;
    roots.set(index, root);
    const first = blocks.get(root);
    const before =
      texts.get(root) ?? (first === undefined || first.kind === 'whole' ? '' : (first.text ?? ''));
    texts.set(root, before + (block.text ?? ''));
  }
  return texts;
}

function toMessage({ id, extensions, parts }: OpenMessage): MessageItem {
  return Object.freeze({
    kind: 'message',
    role: 'assistant',
    parts: Object.freeze(parts),
    ...(id === undefined ? {} : { id }),
    ...(extensions === undefined ? {} : { extensions }),
  });
}

function toTextPart(block: TextBlock, text: string): ContentPart {
  if (block.kind === 'refusal') return Object.freeze({ kind: 'refusal', text });
  const { extensions } = block;
  return Object.freeze({ kind: 'text', text, ...(extensions === undefined ? {} : { extensions }) });
}

function toReasoning({ start, summary, end }: ReasoningBlock, text: string | undefined): ReasoningItem {
  const opaque = end?.opaque;
  const extensions = end?.extensions ?? start.message;
  return Object.freeze({
    kind: 'reasoning',
    ...(text === undefined ? {} : { text }),
    ...(summary.length === 0 ? {} : { summary: Object.freeze(summary) }),
    ...(opaque === undefined ? {} : { opaque }),
    ...(start.itemId === undefined ? {} : { id: start.itemId }),
    ...(extensions === undefined ? {} : { extensions }),
  });
}

function toCall({ start, text }: CallBlock): ToolCallItem {
  return Object.freeze({
    kind: 'tool-call',
    callId: start.callId,
    name: start.name,
    arguments: text,
    ...(start.itemId === undefined ? {} : { id: start.itemId }),
    ...(start.signature === undefined ? {} : { signature: start.signature }),
    ...(start.extensions === undefined ? {} : { extensions: start.extensions }),
  });
}
