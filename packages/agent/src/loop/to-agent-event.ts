import type { ModelEvent } from '@toolgate/model';
import type { AgentEvent } from '../agent-event.ts';

/** What people may see of a model's stream; `undefined` for what is of no use to them. */
export function toAgentEvent(turn: number, event: ModelEvent): AgentEvent | undefined {
  switch (event.kind) {
    case 'text-delta':
    case 'refusal-delta':
    case 'reasoning-delta':
      return { kind: event.kind, turn, index: event.index, text: event.text };
    case 'call-start':
      return { kind: 'call-start', turn, index: event.index, callId: event.callId, name: event.name };
    case 'call-delta':
      return { kind: 'call-delta', turn, index: event.index, delta: event.delta };
    case 'call-end':
      return { kind: 'call-end', turn, index: event.index, callId: event.callId };
    case 'warning':
      return { kind: 'warning', turn, code: event.code, detail: event.detail };
    default:
      return undefined;
  }
}

/** What an event counts against the bound of an answer: an empty one is not free, or an endless row of them would be. */
export function sizeOf(event: ModelEvent): number {
  if ('delta' in event) return EVENT_SIZE + event.delta.length;
  return 'text' in event ? EVENT_SIZE + event.text.length : EVENT_SIZE;
}

const EVENT_SIZE = 16;
