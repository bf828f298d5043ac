// Schemas and values that match them. Values come from JSON text, as they do in an application.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fromText = (value) => JSON.parse(JSON.stringify(value));

/** A tool with three arguments. */
export const small = {
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1 },
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
      recursive: { type: 'boolean' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  values: [
    { path: '/srv/data/reports', limit: 50, recursive: true },
    { path: '/a', limit: 3, recursive: false },
    { path: '/var/log/app' },
    { path: '/x/y/z', limit: 999 },
  ].map(fromText),
};

/** A tool with eleven arguments, nested objects, references and unions; some 600 bytes of arguments. */
export const nested = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'kind', 'items', 'customer'],
    properties: {
      id: { type: 'string', minLength: 3, maxLength: 64 },
      kind: { enum: ['order', 'refund', 'quote', 'return'] },
      priority: { type: 'integer', minimum: 0, maximum: 9 },
      amount: { type: 'number', minimum: 0 },
      notify: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 20 },
      customer: { $ref: '#/$defs/customer' },
      items: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['sku', 'quantity'],
          properties: {
            sku: { type: 'string' },
            quantity: { type: 'integer', minimum: 1 },
            price: { type: 'number' },
            note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
        },
      },
      shipTo: { $ref: '#/$defs/address' },
      schedule: {
        oneOf: [
          { type: 'object', required: ['at'], properties: { at: { type: 'string' } }, additionalProperties: false },
          {
            type: 'object',
            required: ['every'],
            properties: { every: { type: 'integer', minimum: 1 } },
            additionalProperties: false,
          },
        ],
      },
      note: { type: ['string', 'null'] },
    },
    $defs: {
      address: {
        type: 'object',
        required: ['street', 'city', 'country'],
        properties: {
          street: { type: 'string', minLength: 1 },
          city: { type: 'string' },
          zip: { type: 'string', pattern: '^[0-9A-Z -]{3,10}$' },
          country: { type: 'string', minLength: 2, maxLength: 2 },
        },
        additionalProperties: false,
      },
      customer: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, email: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      },
    },
  },
  values: ['order', 'refund', 'quote', 'return'].map((kind, index) =>
    fromText({
      id: `ord-${index}1234`,
      kind,
      priority: index,
      amount: 12.5 * index,
      notify: index % 2 === 0,
      tags: ['alpha', 'beta', 'gamma'],
      customer: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        address: { street: '1 Long Road', city: 'London', zip: 'NW1 6XE', country: 'GB' },
      },
      items: [
        { sku: 'A-1', quantity: 2, price: 9.5, note: null },
        { sku: 'B-2', quantity: 1, price: 19, note: 'gift' },
        { sku: 'C-3', quantity: 5, price: 1.25, note: null },
      ],
      shipTo: { street: '2 Short Road', city: 'Paris', zip: '75001', country: 'FR' },
      schedule: index % 2 === 0 ? { every: 5 } : { at: '2026-01-01T00:00:00Z' },
      note: index % 2 === 0 ? null : 'leave at the door',
    }),
  ),
};

/** 900 rows of one shape, some 100 KB. */
export const rows = {
  schema: {
    type: 'object',
    required: ['rows'],
    properties: {
      rows: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'name'],
          properties: {
            id: { type: 'integer' },
            name: { type: 'string' },
            score: { type: 'number' },
            active: { type: 'boolean' },
            tags: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
  values: [
    fromText({
      rows: Array.from({ length: 900 }, (_, index) => ({
        id: index,
        name: `name of row ${index} of the table`,
        score: index / 7,
        active: index % 3 === 0,
        tags: [`tag ${index % 5}`, 'all'],
      })),
    }),
  ],
};

/** Different tools and one recorded call of each; empty where the recorded data is absent. */
export function recordedCalls(limit) {
  const path = fileURLToPath(new URL('../../../shared/data/bfcl/cases.jsonl', import.meta.url));
  if (!existsSync(path)) return [];
  const calls = [];
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const { tools, calls: made } = JSON.parse(line);
    const call = made.find(({ valid }) => valid);
    const tool = tools.find(({ name }) => name === call?.name);
    if (tool !== undefined) calls.push({ schema: tool.inputSchema, value: JSON.parse(call.arguments) });
    if (calls.length === limit) break;
  }
  return calls;
}

/** Schemas that differ from each other, as of an application with many tools. */
export function distinctSchemas(count) {
  return Array.from({ length: count }, (_, index) => {
    const schema = structuredClone(nested.schema);
    schema.description = `Tool number ${index}.`;
    schema.properties[`extra${index}`] = { type: 'string', maxLength: 10 + index };
    return schema;
  });
}
