import { compileSchema, describeIssues, JsonError, type JsonValue, readJson } from '@toolgate/core';
import { createEventOrder, ModelError, modelErrorCodes } from '@toolgate/model';
import type { Recording } from './recording.ts';

const text = { type: 'string' } as const;

const schema = compileSchema({
  type: 'object',
  required: ['version', 'model', 'capabilities', 'turns'],
  additionalProperties: false,
  properties: {
    version: { const: 1 },
    model: text,
    capabilities: { type: 'array', items: text },
    turns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['request', 'events'],
        additionalProperties: false,
        properties: {
          request: { type: 'object' },
          events: {
            type: 'array',
            items: { type: 'object', required: ['kind'], properties: { kind: text } },
          },
          end: {
            type: 'object',
            required: ['kind'],
            properties: {
              kind: { enum: ['error', 'left'] },
              code: { enum: [...modelErrorCodes] },
              message: text,
              status: { type: 'integer' },
              requestId: text,
            },
            if: { properties: { kind: { const: 'error' } } },
            then: { required: ['code', 'message'] },
          },
        },
      },
    },
  },
});

/**
 * Reads a recording from its JSON text.
 *
 * @throws TypeError that says where the text or the recording is wrong.
 */
export function readRecording(json: string | Uint8Array): Recording {
  let value: JsonValue;
  try {
    value = readJson(json, {
      maxBytes: 'none',
      maxDepth: 256,
      inexactIntegers: 'allow',
      noncharacters: 'allow',
    });
  } catch (cause) {
    const why = JsonError.is(cause) ? cause.message : 'unreadable';
    throw new TypeError(`the recording is not JSON: ${why}`, { cause });
  }
  if (!schema.check(value)) {
    throw new TypeError(`this is not a recording: ${describeIssues(schema.explain(value))}`);
  }
  const recording = value as unknown as Recording;
  recording.turns.forEach(({ events }, index) => {
    const order = createEventOrder();
    try {
      for (const event of events) order.push(event);
    } catch (cause) {
      if (!ModelError.is(cause)) throw cause;
      throw new TypeError(`this is not a recording: /turns/${index}/events: ${cause.message}`, { cause });
    }
  });
  return recording;
}
