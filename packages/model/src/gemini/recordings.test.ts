import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeInPieces } from '../../test-support/in-pieces.ts';
import { recordings } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { gemini } from './gemini.ts';

const RECORDINGS = recordings('gemini');

function read(name: string) {
  const bytes = RECORDINGS.find((each) => each.name === name)?.bytes ?? new Uint8Array();
  return decodeInPieces(gemini, bytes, bytes.length);
}

describe.each(RECORDINGS)('$name', ({ bytes }) => {
  test('gives the same events in pieces of every size', () => {
    const expected = decodeInPieces(gemini, bytes, bytes.length);
    for (const size of [1, 2, 3, 5, 64]) expect(decodeInPieces(gemini, bytes, size)).toEqual(expected);
  });

  test('cut before its last event, it never ends well and never finishes a call', () => {
    const text = new TextDecoder('latin1').decode(bytes);
    for (let length = 0; length < text.lastIndexOf('data: '); length += 7) {
      const events = decodeInPieces(gemini, bytes.subarray(0, length), length || 1);
      expect(events.at(-1)?.kind).toBe('response-error');
      expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
    }
  });
});

test.each(RECORDINGS.filter(({ whole }) => whole !== undefined))(
  '$name streamed is the whole answer',
  (recording) => {
    const streamed = collectResponse(read(recording.name));
    const { value, losses } = gemini.decodeResponse(recording.whole as JsonValue);
    expect(losses).toEqual([]);
    expect(streamed).toEqual(value);
  },
);

describe('what recordings say', () => {
  test('STOP with calls is an answer with calls', () => {
    expect(collectResponse(read('tools'))).toMatchObject({ finish: 'tool-calls', finishDetail: 'STOP' });
  });

  test('calls without ids get ids that differ, and the same ones each time', () => {
    const ids = () =>
      collectResponse(read('parallel-tools')).items.map((item) => (item as { callId: string }).callId);
    expect(new Set(ids()).size).toBe(3);
    expect(ids()).toEqual(ids());
  });

  test('a call beside text in one event is not lost', () => {
    expect(collectResponse(read('text-and-call')).items).toMatchObject([
      { kind: 'message' },
      { kind: 'tool-call', name: 'add', arguments: '{"a":1,"b":[2,{"c":null}]}' },
    ]);
  });

  test('a signature stays with the part that it came with', () => {
    expect(collectResponse(read('tools')).items[1]).toMatchObject({
      signature: { protocol: 'gemini', form: 'signature', value: 'c2lnMQ==' },
    });
    const [thought, said] = collectResponse(read('thinking')).items;
    expect(thought).toMatchObject({ kind: 'reasoning', text: 'The user wants 42.' });
    expect(said).toMatchObject({
      parts: [{ text: 'It is 42.', extensions: { members: { thoughtSignature: 'c2lnMw==' } } }],
    });
  });

  test.each([
    ['safety', 'content-filter', 'SAFETY'],
    ['blocked', 'content-filter', 'PROHIBITED_CONTENT'],
    ['malformed-call', 'error', 'MALFORMED_FUNCTION_CALL'],
    ['max-tokens', 'length', 'MAX_TOKENS'],
  ])('%s ends as %s', (name, finish, finishDetail) => {
    expect(collectResponse(read(name))).toMatchObject({ finish, finishDetail });
  });

  test('a whole call of an answer that was cut off is not finished', () => {
    const { incomplete } = collectResponse(read('max-tokens'));
    expect(incomplete).toHaveLength(1);
  });

  test('output counts thoughts, input counts what tools brought in', () => {
    expect(collectResponse(read('tools')).usage).toMatchObject({
      inputTotal: 20,
      outputTotal: 45,
      reasoning: 30,
    });
    expect(collectResponse(read('grounding')).usage).toMatchObject({
      inputTotal: 45,
      outputTotal: 2,
      cacheRead: 3,
    });
    expect(collectResponse(read('blocked')).usage).toMatchObject({ inputTotal: 5, outputTotal: 0 });
  });

  test('what the provider runs itself is foreign and never a call', () => {
    expect(collectResponse(read('code')).items.map(({ kind }) => kind)).toEqual([
      'foreign',
      'foreign',
      'message',
    ]);
  });

  test('an error ends the answer with the code of the provider and none of its words', () => {
    const last = read('error').at(-1);
    expect(last).toMatchObject({
      kind: 'response-error',
      code: 'model/provider-error',
      providerCode: 'UNAVAILABLE',
    });
    expect(JSON.stringify(last)).not.toContain('overloaded');
  });
});
