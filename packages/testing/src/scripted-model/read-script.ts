import { compileSchema, describeIssues, JsonError, readJson } from '@toolgate/core';
import type { Script } from './script.ts';
import { FAULTS, FINISHES } from './script-words.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: ['integer', 'null'], minimum: 0 } as const;

const schema = compileSchema({
  type: 'object',
  required: ['turns'],
  additionalProperties: false,
  properties: {
    pieceLength: { type: 'integer', minimum: 1 },
    turns: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          reasoning: text,
          text,
          finish: { enum: [...FINISHES] },
          calls: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              additionalProperties: false,
              properties: { name: text, id: text, arguments: { type: ['string', 'object'] } },
            },
          },
          usage: {
            type: 'object',
            additionalProperties: false,
            properties: {
              inputTotal: count,
              cacheRead: count,
              cacheWrite: count,
              outputTotal: count,
              reasoning: count,
            },
          },
          fault: {
            type: 'object',
            required: ['kind'],
            additionalProperties: false,
            properties: {
              kind: { enum: [...FAULTS] },
              status: { type: 'integer', minimum: 300, maximum: 599 },
              message: text,
              headers: { type: 'object', additionalProperties: text },
              abrupt: { type: 'boolean' },
              text,
            },
          },
          expect: {
            type: 'object',
            additionalProperties: false,
            properties: { userText: text, tools: texts, results: texts },
          },
        },
      },
    },
  },
});

/**
 * Reads a script from its JSON text.
 *
 * @throws TypeError that says where the text or the script is wrong.
 */
export function readScript(json: string | Uint8Array): Script {
  let value: ReturnType<typeof readJson>;
  try {
    value = readJson(json, { maxBytes: 'none' });
  } catch (cause) {
    throw new TypeError(`the script is not JSON: ${JsonError.is(cause) ? cause.message : 'unreadable'}`, {
      cause,
    });
  }
  if (!schema.check(value))
    throw new TypeError(`this is not a script: ${describeIssues(schema.explain(value))}`);
  return value as unknown as Script;
}
