import type { ToolCall } from '@toolgate/core';
import type { FinishReason, Item, ModelResponse, ToolCallItem } from '@toolgate/model';
import type { ModelStepValue } from './loop-rules.ts';

/** An answer of a model, made fit for a history. */
export interface Answer {
  readonly items: readonly Item[];
  /** What the model proposes, in order; `complete: false` where the provider did not finish. */
  readonly calls: readonly ToolCall[];
  /** Ids (as in `calls`) of calls that repeat the id of an earlier call of the same turn; they never run. */
  readonly repeated: ReadonlySet<string>;
  readonly text: string;
  readonly refused: boolean;
  /** Nothing in it is for whoever asked: no word, no picture, nothing that a provider made. */
  readonly silent: boolean;
  readonly finish: FinishReason;
}

// After any of these the whole turn is in doubt: a call of it may be half of what the model meant.
const CUT_OFF: ReadonlySet<FinishReason> = new Set([
  'length',
  'content-filter',
  'refusal',
  'error',
  'unknown',
]);
const PLACEHOLDERS: ReadonlySet<string> = new Set(['', 'null', 'undefined', 'none']);
/** What every provider takes back, and the gate takes too. */
const USABLE_ID = /^[!-~]{1,128}$/;

/**
 * Takes an answer apart. A call without a usable id, or with one that the history already has, gets a new one that
 * depends on nothing but its place, so that a replay gives the same.
 *
 * @param turn - From 1; part of new ids.
 * @param used - Ids in the history so far; the new ones are added.
 */
export function readAnswer(
  { response, failure }: Pick<ModelStepValue, 'response' | 'failure'>,
  turn: number,
  used: Set<string>,
): Answer {
  const incomplete = new Set(response.incomplete ?? []);
  const cutOff = failure !== undefined || CUT_OFF.has(response.finish);
  const inTurn = new Set<string>();
  const repeated = new Set<string>();
  const calls: ToolCall[] = [];
  const items = response.items.map((item, index): Item => {
    if (item.kind !== 'tool-call') return item;
    const id = freshId(item, turn, index, used);
    if (inTurn.has(item.callId) && !isPlaceholder(item.callId)) repeated.add(id);
    inTurn.add(item.callId);
    used.add(id);
    const complete = !cutOff && !incomplete.has(item.callId);
    calls.push({ id, name: item.name, arguments: item.arguments, ...(complete ? {} : { complete: false }) });
    return id === item.callId ? item : Object.freeze({ ...item, callId: id });
  });
  return {
    items,
    calls,
    repeated,
    text: textOf(items),
    refused: isRefused(response),
    silent: !items.some(isHeard),
    finish: response.finish,
  };
}

function freshId({ callId }: ToolCallItem, turn: number, index: number, used: ReadonlySet<string>): string {
  if (USABLE_ID.test(callId) && !isPlaceholder(callId) && !used.has(callId)) return callId;
  const base = `call_${turn}_${index}`;
  let id = base;
  for (let suffix = 1; used.has(id); suffix++) id = `${base}_${suffix}`;
  return id;
}

function isPlaceholder(callId: string): boolean {
  return PLACEHOLDERS.has(callId.trim().toLowerCase());
}

function isRefused({ items }: ModelResponse): boolean {
  return items.some((item) => item.kind === 'message' && item.parts.some(({ kind }) => kind === 'refusal'));
}

/** Thoughts are not for whoever asked. What only a provider understands may be. */
function isHeard(item: Item): boolean {
  if (item.kind !== 'message') return item.kind === 'foreign';
  return item.parts.some((part) => part.kind !== 'text' || part.text.trim() !== '');
}

/** Everything a model said in its answer, for people. */
export function textOf(items: readonly Item[]): string {
  return items
    .flatMap((item) => (item.kind === 'message' && item.role === 'assistant' ? item.parts : []))
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}
