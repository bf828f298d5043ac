import { type Clock, digestText } from '@toolgate/core';
import {
  type Extensions,
  type Item,
  isUnsignedThought,
  type Loss,
  type ModelCall,
  type OpaqueReasoning,
  type Protocol,
  type ReasoningItem,
  type ToolCallItem,
} from '@toolgate/model';

/** Where thoughts come from and may go back to: signatures hold for one account and one model only. */
export interface ContinuationPlace {
  readonly principal: string;
  /** Candidate and model. */
  readonly candidate: string;
  readonly protocol: Protocol;
}

/**
 * Keeps what a provider wants to see again with its calls, for clients whose protocol has no place for it: thoughts that
 * are signed, encrypted or in a member of its own, and members of calls. In memory, bounded, and only for the caller, the
 * candidate and the conversation that they belong to.
 */
export interface Continuations {
  /** Keeps the thoughts of a turn, which goes on the conversation of `items`, under the ids of its calls. */
  remember(place: ContinuationPlace, turn: readonly Item[], items: readonly Item[]): void;
  /**
   * Puts kept thoughts back before the calls they led to. Where a turn that goes on lacks them, thinking is left out of
   * the request, with a loss: the provider would refuse it.
   */
  restore(
    place: ContinuationPlace,
    call: ModelCall,
  ): { readonly call: ModelCall; readonly losses: readonly Loss[] };
  readonly size: number;
}

/** Bounds of the store. */
export interface ContinuationsOptions {
  readonly clock: Clock;
  /** Calls. Default 20,000. */
  readonly maxEntries?: number;
  /** Characters of all thoughts together. Default 32 Mi. */
  readonly maxLength?: number;
  /** Default one day. */
  readonly lifetimeMs?: number;
}

interface Entry {
  readonly thoughts: readonly ReasoningItem[];
  readonly signature: OpaqueReasoning | undefined;
  readonly extensions: Extensions | undefined;
  readonly length: number;
  readonly until: number;
}

const DAY_MS = 86_400_000;

/** Makes an empty store. */
export function createContinuations(options: ContinuationsOptions): Continuations {
  const { clock, lifetimeMs = DAY_MS, maxEntries = 20_000, maxLength = 32 * 1024 * 1024 } = options;
  const entries = new Map<string, Entry>();
  let length = 0;

  const keyOf = ({ candidate, principal }: ContinuationPlace, opening: string, callId: string): string =>
    JSON.stringify([principal, candidate, opening, callId]);
  const drop = (key: string, entry: Entry): void => {
    entries.delete(key);
    length -= entry.length;
  };
  const put = (key: string, entry: Entry): void => {
    const before = entries.get(key);
    if (before !== undefined) drop(key, before);
    entries.set(key, entry);
    length += entry.length;
    for (const [oldest, old] of entries) {
      if (entries.size <= maxEntries && length <= maxLength) break;
      drop(oldest, old);
    }
  };
  const find = (place: ContinuationPlace, opening: string, callId: string): Entry | undefined => {
    const entry = entries.get(keyOf(place, opening, callId));
    return entry !== undefined && entry.until > clock.now() ? entry : undefined;
  };

  return Object.freeze({
    remember(place: ContinuationPlace, turn: readonly Item[], items: readonly Item[]) {
      if (!turn.some(({ kind }) => kind === 'tool-call')) return;
      const opening = openingOf(items);
      const thoughts = turn.filter((item): item is ReasoningItem => isOwnThought(item, place.protocol));
      let first = true;
      for (const item of turn) {
        if (item.kind !== 'tool-call') continue;
        const { signature } = item;
        const extensions = item.extensions?.protocol === place.protocol ? item.extensions : undefined;
        const own = first ? thoughts : [];
        first = false;
        if (own.length === 0 && signature === undefined && extensions === undefined) continue;
        const size = JSON.stringify([own, signature ?? null, extensions?.members ?? null]).length;
        put(keyOf(place, opening, item.callId), {
          thoughts: own,
          signature,
          extensions,
          length: size,
          until: clock.now() + lifetimeMs,
        });
      }
    },
    restore(place: ContinuationPlace, call: ModelCall) {
      let opening: string | undefined;
      const items =
        entries.size === 0
          ? call.items
          : restoreItems(call.items, place.protocol, (callId) => {
              opening ??= openingOf(call.items);
              return find(place, opening, callId);
            });
      const restored = items === call.items ? call : { ...call, items };
      return place.protocol === 'anthropic'
        ? withoutStrandedThinking(restored)
        : { call: restored, losses: [] };
    },
    get size() {
      return entries.size;
    },
  });
}

/** A thought in a form of the protocol: signed or encrypted, or in the member in which its server gave it. */
function isOwnThought(item: Item, protocol: Protocol): boolean {
  if (item.kind !== 'reasoning') return false;
  if (item.opaque !== undefined) return item.opaque.protocol === protocol;
  return protocol === 'openai-chat' && item.extensions?.protocol === protocol;
}

/**
 * What tells a conversation from others: the words it begins with. Some servers count the ids of their calls anew in
 * each one, so that an id alone could give one conversation the thoughts of another.
 */
function openingOf(items: readonly Item[]): string {
  const first = items.find((item) => item.kind === 'message' && item.role === 'user');
  const parts = first?.kind === 'message' ? first.parts : [];
  return digestText(JSON.stringify(parts.map((part) => (part.kind === 'text' ? part.text : part.kind))));
}

function isAssistants(item: Item): boolean {
  return (
    item.kind === 'tool-call' ||
    item.kind === 'reasoning' ||
    (item.kind === 'message' && item.role === 'assistant')
  );
}

function restoreItems(
  items: readonly Item[],
  protocol: Protocol,
  find: (callId: string) => Entry | undefined,
): readonly Item[] {
  const restored: Item[] = [];
  let turnAt = 0;
  let turnThinks = false;
  let changed = false;
  for (const item of items) {
    const last = restored.at(-1);
    if (last === undefined || !isAssistants(last)) {
      turnAt = restored.length;
      turnThinks = false;
    }
    if (isOwnThought(item, protocol)) turnThinks = true;
    // What the client was shown of a thought stands for the thought that is put back.
    if (turnThinks && isUnsignedThought(item)) {
      changed = true;
      continue;
    }
    const entry = item.kind === 'tool-call' ? find(item.callId) : undefined;
    if (entry === undefined || item.kind !== 'tool-call') {
      restored.push(item);
      continue;
    }
    if (entry.thoughts.length > 0 && !turnThinks) {
      const turn = restored.splice(turnAt).filter((each) => !isUnsignedThought(each));
      restored.push(...entry.thoughts, ...turn);
      turnThinks = true;
      changed = true;
    }
    const whole = withKept(item, entry);
    changed ||= whole !== item;
    restored.push(whole);
  }
  return changed ? restored : items;
}

function withKept(item: ToolCallItem, { extensions, signature }: Entry): ToolCallItem {
  const signed = signature === undefined || item.signature !== undefined ? item : { ...item, signature };
  return extensions === undefined || item.extensions !== undefined ? signed : { ...signed, extensions };
}

/** A turn that ends in calls and goes on has to begin with its thoughts while thinking is asked for. */
function withoutStrandedThinking(call: ModelCall): {
  readonly call: ModelCall;
  readonly losses: readonly Loss[];
} {
  const { reasoning, ...rest } = call;
  if (typeof reasoning?.budgetTokens !== 'number') return { call, losses: [] };
  const end = call.items.findLastIndex((item) => item.kind !== 'tool-result');
  if (end < 0 || end === call.items.length - 1 || call.items[end]?.kind !== 'tool-call')
    return { call, losses: [] };
  for (let at = end; at >= 0; at -= 1) {
    const item = call.items[at];
    if (item === undefined || !isAssistants(item)) break;
    if (isOwnThought(item, 'anthropic')) return { call, losses: [] };
  }
  const loss: Loss = {
    code: 'dropped',
    path: '/reasoning',
    severity: 'warning',
    detail: 'the thoughts of the turn that goes on are gone, so that it cannot think',
  };
  return { call: rest, losses: [loss] };
}
