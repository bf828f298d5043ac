import type { Item, ModelCall } from '@toolgate/model';

/**
 * The call of a repair attempt: what the assistant said so far, and the notice. Control calls are in no history, so that
 * every call in it stays paired. The notice stands as the last user message, where every wire takes one; it says of itself
 * that it comes from no user.
 */
export function repairCall(call: ModelCall, said: string, notice: string): ModelCall {
  const items: readonly Item[] = [
    ...call.items,
    ...(said.trim() === '' ? [] : [message('assistant', said)]),
    message('user', notice),
  ];
  return Object.freeze({ ...call, items: Object.freeze(items) });
}

function message(role: 'assistant' | 'user', text: string): Item {
  const parts = Object.freeze([Object.freeze({ kind: 'text' as const, text })]);
  return Object.freeze({ kind: 'message', role, parts });
}
