import type { ModelResponse } from '../src/call/model-response.ts';
import { collectResponse } from '../src/event/collect-response.ts';
import { createEventOrder } from '../src/event/event-order.ts';
import { openaiChat } from '../src/openai-chat/openai-chat.ts';
import { decodeText } from './recordings.ts';

/** The answer of a Chat stream, whose events have to come in order. */
export function collect(text: string): ModelResponse {
  const events = decodeText(openaiChat, text);
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return collectResponse(events);
}

/** Chunks of a stream, one with each delta. */
export function chunks(...deltas: readonly object[]): string {
  return deltas
    .map(
      (delta) =>
        `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, finish_reason: null, delta }] })}\n\n`,
    )
    .join('');
}

/** The chunk that ends an answer, with the mark behind it. */
export function finished(reason: unknown, done = true): string {
  const chunk = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n${done ? 'data: [DONE]\n\n' : ''}`;
}

/** A delta with these entries of calls. */
export function calls(...entries: readonly object[]): object {
  return { tool_calls: entries };
}

/** The calls of an answer, without what they have besides. */
export function callsOf(response: ModelResponse): readonly object[] {
  return response.items.flatMap((item) => {
    return item.kind === 'tool-call'
      ? [{ callId: item.callId, name: item.name, arguments: item.arguments }]
      : [];
  });
}
