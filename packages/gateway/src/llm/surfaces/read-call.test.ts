import { readJson } from '@toolgate/core';
import { codecOf, PROTOCOLS, type Protocol } from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oddRequest } from '../../../test-support/wire-samples.ts';
import { createCallReader, type ReadCall } from './read-call.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (protocol: Protocol, text: string, reader = createCallReader()): ReadCall =>
  reader(protocol, bytes(text), { model: 'm' });
const modelOf = (result: ReadCall): unknown => (result.kind === 'call' ? result.call.call : result);

describe.each(PROTOCOLS)('bodies of %s', (protocol) => {
  /** Numbers that no double holds have no outline, and most clients send none. */
  const ordinary = oddRequest(protocol, false).replaceAll('12345678901234567890', '12345');

  test('are read the same with an outline and without one', () => {
    const result = read(protocol, ordinary);
    const general = codecOf(protocol).decodeRequest(readJson(ordinary, { maxBytes: 'none' }), { model: 'm' });
    expect(result).toMatchObject({
      kind: 'call',
      call: { body: bytes(ordinary), outline: { body: { start: 0 } } },
    });
    expect(modelOf(result)).toEqual(general.value);
  });

  test('with numbers that no double holds are read all the same, and that is told', () => {
    const odd = ordinary.replace('12345', '12345678901234567890');
    expect(odd).not.toBe(ordinary);
    expect(read(protocol, odd)).toMatchObject({
      kind: 'call',
      call: {
        outline: undefined,
        losses: expect.arrayContaining([expect.objectContaining({ code: 'approximated' })]),
      },
    });
  });

  test('are read or refused whatever was read before', () => {
    const used = createCallReader();
    const piece = fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', ':', '1', '"model"', 'null', 'ü');
    fc.assert(
      fc.property(
        fc.nat(ordinary.length),
        fc.nat(5),
        fc.array(piece, { maxLength: 2 }),
        (at, cut, pieces) => {
          const text = ordinary.slice(0, at) + pieces.join('') + ordinary.slice(at + cut);
          expect(modelOf(read(protocol, text, used))).toEqual(modelOf(read(protocol, text)));
          read(protocol, ordinary, used);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test('bytes that are no UTF-8 are refused', () => {
  const body = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d);
  expect(createCallReader()('openai-chat', body, {})).toMatchObject({
    kind: 'refused',
    refusal: { code: 'body_malformed' },
  });
});

test('a body that is strict JSON and no request names the model that is asked for', () => {
  const text = '{"model":"m","messages":7}';
  expect(createCallReader()('openai-chat', bytes(text), {})).toMatchObject({
    kind: 'refused',
    model: 'm',
    refusal: { code: 'request_invalid', pointer: '/messages' },
  });
});
