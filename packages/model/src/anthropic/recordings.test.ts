import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeInPieces } from '../../test-support/in-pieces.ts';
import { recordings } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { anthropic } from './anthropic.ts';

const RECORDINGS = recordings('anthropic');

function recording(name: string): Uint8Array {
  return RECORDINGS.find((each) => each.name === name)?.bytes ?? new Uint8Array();
}

function read(name: string) {
  return decodeInPieces(anthropic, recording(name), Number.POSITIVE_INFINITY);
}

describe.each(RECORDINGS)('$name', ({ bytes }) => {
  test('gives the same events in pieces of every size', () => {
    const expected = decodeInPieces(anthropic, bytes, bytes.length);
    for (const size of [1, 2, 3, 5, 64]) expect(decodeInPieces(anthropic, bytes, size)).toEqual(expected);
  });

  test('cut before its end, it never ends well and never finishes a call', () => {
    const text = new TextDecoder('latin1').decode(bytes);
    const end = text.indexOf('event: message_delta');
    for (let length = 0; length < (end === -1 ? bytes.length - 40 : end); length += 7) {
      const events = decodeInPieces(anthropic, bytes.subarray(0, length), length || 1);
      expect(events.at(-1)?.kind).toBe('response-error');
      expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
    }
  });
});

test.each(RECORDINGS.filter(({ whole }) => whole !== undefined))(
  '$name streamed is the whole answer',
  ({ bytes, whole }) => {
    const streamed = collectResponse(decodeInPieces(anthropic, bytes, 64));
    const { value, losses } = anthropic.decodeResponse(whole as JsonValue);
    expect(losses).toEqual([]);
    const items = streamed.items.map((item) =>
      item.kind === 'tool-call' ? { ...item, arguments: JSON.stringify(JSON.parse(item.arguments)) } : item,
    );
    expect({ ...streamed, items }).toEqual(value);
  },
);

describe('what recordings say', () => {
  test('argument text is what the deltas join to, and the placeholder of the start is no part of it', () => {
    expect(read('tools')).toContainEqual({
      kind: 'call-end',
      index: 1,
      callId: 'toolu_1',
      name: 'get_weather',
      arguments: '{"city":"Zürich","unit":"C"}',
    });
  });

  test('a call without deltas has empty arguments, as text that is an object', () => {
    expect(read('parallel-tools')).toContainEqual(
      expect.objectContaining({ kind: 'call-end', callId: 'toolu_c', arguments: '{}' }),
    );
  });

  test('a truncated text with a normal stop stays as it came and is for the contract to refuse', () => {
    expect(read('malformed-arguments')).toContainEqual(
      expect.objectContaining({ kind: 'call-end', arguments: '{"file_path_list":["deck/01.html","deck/02' }),
    );
  });

  test('a call that the limit cut off is not finished, though the wire closes its block', () => {
    const response = collectResponse(read('max-tokens'));
    expect(response).toMatchObject({ finish: 'length', finishDetail: 'max_tokens', incomplete: ['toolu_m'] });
  });

  test('what the provider runs itself is foreign and never a call', () => {
    const response = collectResponse(read('server-tool'));
    expect(response.items.map(({ kind }) => kind)).toEqual(['foreign', 'foreign', 'message']);
    expect(response.finish).toBe('stop');
    expect(collectResponse(read('pause')).finish).toBe('paused');
  });

  test('thoughts keep their signature byte for byte, redacted ones too', () => {
    const [thought, redacted] = collectResponse(read('thinking')).items;
    expect(thought).toEqual({
      kind: 'reasoning',
      text: 'The user wants the weather.',
      opaque: { protocol: 'anthropic', form: 'signature', value: 'EqoBCkgIAhABGAIiQ+/==' },
    });
    expect(redacted).toMatchObject({ opaque: { form: 'redacted', value: 'EmwKAhgBEgy3va3pzix/LafPsn4a' } });
  });

  test('counts are replaced and not added, and input counts what the cache gave', () => {
    expect(collectResponse(read('text')).usage).toEqual({
      inputTotal: 125,
      cacheRead: 100,
      cacheWrite: 0,
      outputTotal: 15,
      reasoning: null,
    });
  });

  test('a refusal is a filtered answer and keeps its details', () => {
    expect(collectResponse(read('refusal'))).toMatchObject({
      finish: 'content-filter',
      finishDetail: 'refusal',
      extensions: { members: { stop_details: { category: 'cyber' } } },
    });
  });

  test('an error ends the answer with the code of the provider and none of its words', () => {
    const last = read('error').at(-1);
    expect(last).toMatchObject({
      kind: 'response-error',
      code: 'model/provider-error',
      providerCode: 'overloaded_error',
    });
    expect(JSON.stringify(last)).not.toContain('Overloaded');
  });

  test('a dead stream is incomplete and leaves its calls unfinished', () => {
    expect(read('cut-off').at(-1)).toMatchObject({ code: 'model/stream-incomplete' });
    expect(collectResponse(read('cut-off')).incomplete).toEqual(['toolu_x']);
  });
});
