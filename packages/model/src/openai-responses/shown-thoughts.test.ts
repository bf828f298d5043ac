import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, test } from 'vitest';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiResponses } from './openai-responses.ts';

/** An answer with a thought in pieces; one of this protocol has an id. */
function thinking(itemId?: string): readonly ModelEvent[] {
  return [
    { kind: 'response-start', id: 'r', model: 'm' },
    { kind: 'reasoning-start', index: 0, ...(itemId === undefined ? {} : { itemId }) },
    { kind: 'reasoning-delta', index: 0, text: 'Hm' },
    { kind: 'reasoning-delta', index: 0, text: ', yes' },
    { kind: 'reasoning-end', index: 0 },
    { kind: 'text-start', index: 1 },
    { kind: 'text-delta', index: 1, text: 'hi' },
    { kind: 'text-end', index: 1 },
    { kind: 'response-end', finish: 'stop' },
  ];
}

function streamed(events: readonly ModelEvent[]): string {
  const encoder = openaiResponses.encodeStream({ model: 'm' });
  return events.map((event) => encoder.push(event)).join('');
}

const whole = (events: readonly ModelEvent[]) =>
  openaiResponses.encodeResponse(collectResponse(events)).value;

function clientOf(body: string, mediaType: string) {
  const fetch = async () => new Response(body, { headers: { 'content-type': mediaType } });
  return createOpenAI({ apiKey: 'k', fetch }).responses('m');
}

const PROMPT = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];

describe('a thought of another protocol', () => {
  test('is shown by a client that shows summaries and nothing else, streamed', async () => {
    const client = clientOf(streamed(thinking()), 'text/event-stream');
    const { stream } = await client.doStream({ prompt: PROMPT });
    let thought = '';
    for await (const part of stream) if (part.type === 'reasoning-delta') thought += part.delta;
    expect(thought).toBe('Hm, yes');
  });

  test('is shown by it whole', async () => {
    const client = clientOf(JSON.stringify(whole(thinking())), 'application/json');
    const { content } = await client.doGenerate({ prompt: PROMPT });
    expect(content.filter(({ type }) => type === 'reasoning')).toMatchObject([{ text: 'Hm, yes' }]);
  });

  test('comes behind the summaries that it has', () => {
    const events = thinking().flatMap((event): readonly ModelEvent[] =>
      event.kind === 'reasoning-start'
        ? [event, { kind: 'reasoning-delta', index: 0, text: 'First', summary: true, summaryIndex: 0 }]
        : [event],
    );
    const expected = [{ type: 'reasoning', summary: [{ text: 'First' }, { text: 'Hm, yes' }] }];
    expect(whole(events)['output']).toMatchObject([...expected, { type: 'message' }]);
    const decoder = openaiResponses.decodeStream();
    const back = collectResponse([
      ...decoder.push(new TextEncoder().encode(streamed(events))),
      ...decoder.end(),
    ]);
    expect(back.items[0]).toMatchObject({ kind: 'reasoning', summary: ['First', 'Hm, yes'] });
  });
});

test('a thought of this protocol stays what it is', () => {
  expect(streamed(thinking('rs_1'))).toContain('response.reasoning_text.delta');
  expect(whole(thinking('rs_1'))['output']).toMatchObject([
    { id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm, yes' }] },
    { type: 'message' },
  ]);
});
