import type { JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { modelCall, modelResponse, objectArguments } from '../../test-support/arbitraries.ts';
import { recordings } from '../../test-support/recordings.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import { ModelError } from '../model-error.ts';
import { codecOf } from './codecs.ts';

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, '', [], {}, -1, 1e300, '__proto__'),
);

/** The same value with one node replaced, or one member added. */
function mutated(value: unknown, pick: () => number, replacement: unknown): unknown {
  if (typeof value !== 'object' || value === null || pick() % 4 === 0) return replacement;
  const names = Object.keys(value);
  const name = names[pick() % Math.max(names.length, 1)];
  if (name === undefined) return replacement;
  const copy: Record<string, unknown> = { ...value };
  copy[name] = mutated(copy[name], pick, replacement);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const mutation = fc.tuple(fc.infiniteStream(fc.nat(50)), junk);

function mutate(value: unknown, [numbers, replacement]: readonly [Iterator<number>, unknown]): JsonValue {
  return mutated(
    JSON.parse(JSON.stringify(value ?? null)),
    () => numbers.next().value ?? 0,
    replacement,
  ) as JsonValue;
}

/** The result, or `undefined` for a refusal; anything else that is thrown fails the test. */
function refusable<Result>(step: () => Result): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (ModelError.is(error)) return undefined;
    throw error;
  }
}

describe.each(PROTOCOLS)('%s', (protocol) => {
  const codec = codecOf(protocol);

  test('a request of any shape is a call or a refusal, and a call is one that it can write or refuse', () => {
    fc.assert(
      fc.property(modelCall(objectArguments), mutation, mutation, (call, first, second) => {
        const body = mutate(mutate(codec.encodeRequest(call).value.body, first), second);
        const decoded = refusable(() => codec.decodeRequest(body, { model: 'm' }));
        if (decoded === undefined) return;
        for (const to of PROTOCOLS) refusable(() => codecOf(to).encodeRequest(decoded.value));
      }),
      propertyRuns(100),
    );
  });

  test('an answer of any shape is an answer or a refusal', () => {
    fc.assert(
      fc.property(modelResponse(objectArguments), mutation, mutation, (response, first, second) => {
        const body = mutate(mutate(codec.encodeResponse(response).value, first), second);
        const decoded = refusable(() => codec.decodeResponse(body));
        if (decoded === undefined) return;
        for (const to of PROTOCOLS) refusable(() => codecOf(to).encodeResponse(decoded.value));
      }),
      propertyRuns(100),
    );
  });

  test('an error body of any shape is a refusal or an answer', () => {
    fc.assert(
      fc.property(junk, junk, (error, rest) => {
        refusable(() => codec.decodeResponse({ error, rest } as JsonValue));
        refusable(() => codec.decodeResponse(error as JsonValue));
      }),
    );
  });

  const streams = recordings(protocol);

  test('a stream with any bytes changed, lost or doubled is in order and ends once', () => {
    const change = fc.record({
      at: fc.nat(),
      drop: fc.nat(40),
      add: fc.uint8Array({ maxLength: 6 }),
      copy: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...streams),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (recorded, changes) => {
          let bytes = Array.from(recorded.bytes);
          for (const { at, drop, add, copy } of changes) {
            const place = at % (bytes.length + 1);
            const piece = copy ? bytes.slice(place, place + drop) : [];
            bytes = [...bytes.slice(0, place), ...add, ...piece, ...bytes.slice(copy ? place : place + drop)];
          }
          const decoder = codec.decodeStream();
          const events = [...decoder.push(Uint8Array.from(bytes)), ...decoder.end()];
          const order = createEventOrder();
          for (const event of events) order.push(event);
          order.end();
          collectResponse(events);
        },
      ),
      propertyRuns(100),
    );
  });

  test('a stream whose events hold anything is in order and ends once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...streams),
        fc.array(fc.tuple(fc.nat(), mutation), { minLength: 1, maxLength: 3 }),
        (recorded, changes) => {
          const events = new TextDecoder().decode(recorded.bytes).split(/\r?\n\r?\n/);
          for (const [at, change] of changes) {
            const place = at % events.length;
            events[place] = (events[place] ?? '').replace(/(?<=^data: ?)\{.*\}$/m, (data) =>
              JSON.stringify(mutate(JSON.parse(data), change)),
            );
          }
          const decoder = codec.decodeStream();
          const decoded = [...decoder.push(new TextEncoder().encode(events.join('\n\n'))), ...decoder.end()];
          const order = createEventOrder();
          for (const event of decoded) order.push(event);
          order.end();
          for (const to of PROTOCOLS) {
            const encoder = codecOf(to).encodeStream();
            for (const event of decoded) encoder.push(event);
          }
        },
      ),
      propertyRuns(100),
    );
  });

  test('the tools of a call are not changed by writing or reading', () => {
    const parameters = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { const: 1 } },
    };
    const before = JSON.stringify(parameters);
    const call = {
      model: 'm',
      items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'x' }] }],
      tools: [{ kind: 'function', name: 'f', parameters }],
    } as const;
    for (const to of PROTOCOLS)
      refusable(() => codec.decodeRequest(codecOf(to).encodeRequest(call).value.body, { model: 'm' }));
    expect(JSON.stringify(parameters)).toBe(before);
  });
});
