import type { ModelEvent } from '@toolgate/model';
import type { AgentEvent } from '../agent-event.ts';

/** What people may see of a model's stream; `undefined` for what is of no use to them. */
export function toAgentEvent(turn: number, event: ModelEvent): AgentEvent | undefined {
  const { kind } = event;
  if (kind === 'text-delta' || kind === 'refusal-delta' || kind === 'reasoning-delta')
    return { kind, turn, index: event.index, text: event.text };
  if (kind === 'call-start')
    return { kind, turn, index: event.index, callId: event.callId, name: event.name };
  if (kind === 'call-delta') return { kind, turn, index: event.index, delta: event.delta };
  if (kind === 'call-end') return { kind, turn, index: event.index, callId: event.callId };
  return kind === 'warning' ? { kind, turn, code: event.code, detail: event.detail } : undefined;
}

/** What an event counts against the bound of an answer: an empty one is not free, or an endless row of them would be. */
export function sizeOf(event: ModelEvent): number {
  if ('delta' in event) return EVENT_SIZE + event.delta.length;
  return 'text' in event ? EVENT_SIZE + event.text.length : EVENT_SIZE;
}

const EVENT_SIZE = 16;
