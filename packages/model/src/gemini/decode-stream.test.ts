import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { gemini } from './gemini.ts';

function read(...chunks: readonly unknown[]) {
  return decodeText(gemini, chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(''));
}

function chunk(parts: unknown, finishReason?: string) {
  return { candidates: [{ content: { parts }, ...(finishReason === undefined ? {} : { finishReason }) }] };
}

const CALL = { functionCall: { name: 'f', args: { a: 1 } } };

describe('a stream that breaks the protocol fails and finishes no call', () => {
  test.each<[string, readonly unknown[]]>([
    ['a list', [[]]],
    ['candidates that are a text', [{ candidates: 'x' }]],
    ['a candidate that is a number', [{ candidates: [1] }]],
    ['content that is a text', [{ candidates: [{ content: 'x' }] }]],
    ['parts that are an object', [chunk([CALL]), chunk({})]],
    ['a part that is a text', [chunk(['x'])]],
    ['a call without a name', [chunk([{ functionCall: { args: {} } }], 'STOP')]],
  ])('%s', (_, chunks) => {
    const decoded = read(...chunks);
    expect(decoded.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(decoded.some(({ kind }) => kind === 'call-end')).toBe(false);
  });
});

describe('what may happen', () => {
  test.each<[string, unknown, string]>([
    ['a text that holds JSON', '{"a":1}', '"{\\"a\\":1}"'],
    ['a list', [1], '[1]'],
    ['a blank text', ' ', '{}'],
    ['null', null, '{}'],
  ])('arguments that are %s cost no answer and are not lost', (_, args, text) => {
    const part = { functionCall: { name: 'f', args } };
    const { items } = collectResponse(read(chunk([{ text: 'x' }, part], 'STOP')));
    expect(items[1]).toMatchObject({ kind: 'tool-call', arguments: text });
    const body = { candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] } as JsonValue;
    expect(gemini.decodeResponse(body).value.items[0]).toMatchObject({ arguments: text });
  });

  test('a later word makes nothing whole that was cut off', () => {
    const events = read(chunk([CALL], 'MAX_TOKENS'), chunk([], 'STOP'));
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'length' });
    expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('calls of one stream without ids have different ids, even for equal calls', () => {
    const { items } = collectResponse(read(chunk([CALL, CALL]), chunk([CALL], 'STOP')));
    expect(new Set(items.map((item) => (item as { callId: string }).callId)).size).toBe(3);
  });

  test('a second answer is left out with one loss', () => {
    const decoder = gemini.decodeStream();
    const two = { candidates: [{ index: 1, content: { parts: [CALL] } }] };
    const text = [two, two, chunk([{ text: 'x' }], 'STOP')]
      .map((data) => `data: ${JSON.stringify(data)}\n\n`)
      .join('');
    const events = [...decoder.push(new TextEncoder().encode(text)), ...decoder.end()];
    expect(events.some(({ kind }) => kind === 'call-start')).toBe(false);
    expect(decoder.losses).toHaveLength(1);
  });

  test('thoughts, text and calls keep their order', () => {
    const { items } = collectResponse(
      read(chunk([{ text: 'a', thought: true }]), chunk([{ text: 'b' }, CALL, { text: 'c' }], 'STOP')),
    );
    expect(items.map(({ kind }) => kind)).toEqual(['reasoning', 'message', 'tool-call', 'message']);
  });

  test('call-like text is text', () => {
    const text = '```tool_code\n{"functionCall":{"name":"get_weather","args":{}}}\n```';
    const { items, finish } = collectResponse(read(chunk([{ text }], 'STOP')));
    expect(items).toMatchObject([{ kind: 'message', parts: [{ text }] }]);
    expect(finish).toBe('stop');
  });

  test('parts without text are not free: a stream of them ends at the bound', () => {
    const decoder = gemini.decodeStream({ maxTotalLength: 10_000 });
    const bytes = new TextEncoder().encode(
      `data: ${JSON.stringify(chunk([{ functionCall: { name: 'f' } }]))}\n\n`,
    );
    let last = decoder.push(bytes).at(-1);
    for (let count = 0; count < 1000 && last?.kind !== 'response-error'; count += 1)
      last = decoder.push(bytes).at(-1);
    expect(last).toMatchObject({ code: 'model/response-too-large' });
  });
});
