import type { Item, ModelCall } from '@toolgate/model';
import { cutText } from '../text/cut-text.ts';

/** Why an attempt ended, as far as the decision cares. */
export type AttemptCause =
  | 'stop'
  | 'tool-calls'
  /** Cut off at the limit of its length. */
  | 'limit'
  | 'refusal'
  | 'content-filter'
  | 'cancelled'
  | 'authority-denied'
  /** The provider paused and wants to be asked to go on by who asked it. */
  | 'paused'
  /** The provider said that it failed. */
  | 'provider'
  /** The connection broke, or the answer ended without its end. */
  | 'transport'
  | 'unknown';

/** Something that another tool was asked to do. */
export interface OrdinaryAction {
  readonly kind: 'call';
  readonly name: string;
  /** `pending`: proposed and not answered. `incomplete`: the model did not finish it. */
  readonly status: 'completed' | 'pending' | 'incomplete';
}

/** What is known at the end of one attempt. Texts are bounded beginnings, for comparison and excerpts only. */
export interface Evidence {
  /** What the user asked for last; empty when unknown. */
  readonly objective: string;
  /** What the assistant said before this attempt. */
  readonly recentText: string;
  /** What it said in this attempt. */
  readonly candidateText: string;
  /** Unfinished ones first. */
  readonly actions: readonly OrdinaryAction[];
  readonly cause: AttemptCause;
  /** Whether the client has got something of this attempt. */
  readonly outputCommitted: boolean;
  /** Whether there is a conversation at all. */
  readonly trajectory: boolean;
}

/** Bytes of each text in the evidence. */
export const MAX_EVIDENCE_TEXT_BYTES = 16_384;

/** Actions in the evidence. */
export const MAX_EVIDENCE_ACTIONS = 64;

/** What one attempt did, for {@link evidenceOf}. */
export interface AttemptFacts {
  readonly text: string;
  readonly actions: readonly OrdinaryAction[];
  readonly cause: AttemptCause;
  readonly outputCommitted: boolean;
}

/** The evidence of one attempt at a call. */
export function evidenceOf(call: ModelCall, facts: AttemptFacts): Evidence {
  const actions = [...historyActions(call.items), ...facts.actions];
  const open = actions.filter(isOpen);
  const done = actions.filter((action) => !isOpen(action));
  return Object.freeze({
    objective: bounded(lastText(call.items, 'user')),
    recentText: bounded(lastText(call.items, 'assistant')),
    candidateText: bounded(facts.text),
    actions: Object.freeze([...open, ...done].slice(0, MAX_EVIDENCE_ACTIONS)),
    cause: facts.cause,
    outputCommitted: facts.outputCommitted,
    trajectory: call.items.length > 0,
  });
}

/** Whether something that a tool was asked to do is not done. */
export function isOpen({ status }: OrdinaryAction): boolean {
  return status !== 'completed';
}

/** Whether the evidence of an attempt at a call would hold an open action. */
export function hasOpenAction(call: ModelCall, facts: AttemptFacts): boolean {
  return facts.actions.some(isOpen) || historyActions(call.items).some(isOpen);
}

/** How many calls of tools a conversation holds. */
export function countCalls(items: readonly Item[]): number {
  let count = 0;
  // By place: an engine walks a frozen list by iterator at several times the cost.
  for (let at = 0; at < items.length; at += 1) if (items[at]?.kind === 'tool-call') count += 1;
  return count;
}

const NO_ACTIONS: readonly OrdinaryAction[] = Object.freeze([]);

function historyActions(items: readonly Item[]): readonly OrdinaryAction[] {
  if (countCalls(items) === 0) return NO_ACTIONS;
  const answered = new Set(items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : [])));
  return items.flatMap((item) => {
    if (item.kind !== 'tool-call') return [];
    const status = answered.has(item.callId) ? ('completed' as const) : ('pending' as const);
    return [{ kind: 'call' as const, name: item.name, status }];
  });
}

/** The text of the last message of a role that has one. */
function lastText(items: readonly Item[], role: 'user' | 'assistant'): string {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.kind !== 'message' || item.role !== role) continue;
    const text = item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
    if (text.trim() !== '') return text;
  }
  return '';
}

function bounded(text: string): string {
  return cutText(text, MAX_EVIDENCE_TEXT_BYTES).replaceAll('\r\n', '\n').trim();
}
