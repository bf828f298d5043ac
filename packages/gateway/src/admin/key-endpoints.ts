import type { JsonObject } from '@toolgate/core';
import { refuse } from '../http/refusal.ts';
import type { Grants } from '../ports/principal.ts';
import { type AdminEndpoint, json } from './admin-endpoint.ts';

const NAMES: JsonObject = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 256 },
  maxItems: 1_000,
};
const ACCESS: JsonObject = { anyOf: [{ const: 'all' }, NAMES] };

/** Addresses of virtual keys. */
export const keyEndpoints: readonly AdminEndpoint[] = [
  {
    method: 'GET',
    path: '/api/keys',
    operation: 'listKeys',
    summary: 'All keys, revoked ones too, without the keys themselves.',
    answers: { 200: 'The keys.' },
    handle: async (_request, { keys }) => json({ items: await keys().list() }),
  },
  {
    method: 'POST',
    path: '/api/keys',
    operation: 'createKey',
    summary:
      'Makes a key and shows it, this once. What is not granted is not allowed. `unconfigured` says which names of routes and servers nothing bears yet.',
    body: {
      type: 'object',
      properties: {
        principal: { type: 'string', minLength: 1, maxLength: 128 },
        grants: {
          type: 'object',
          properties: {
            toolsDefault: { enum: ['allow', 'deny'] },
            allow: NAMES,
            deny: NAMES,
            routes: ACCESS,
            servers: ACCESS,
            admin: { type: 'boolean' },
            limits: {
              type: 'object',
              properties: {
                requestsPerMinute: { type: 'integer', minimum: 1 },
                concurrency: { type: 'integer', minimum: 1 },
              },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
      required: ['principal'],
      additionalProperties: false,
    },
    answers: { 201: 'The key and its record.' },
    handle: async ({ body, principal }, { keys, unconfigured }) => {
      const { grants, principal: holder } = body;
      const created = await keys().create({
        principal: typeof holder === 'string' ? holder : '',
        by: principal.id,
        ...(grants === undefined ? {} : { grants: grants as unknown as Partial<Grants> }),
      });
      const names = unconfigured(created.record.grants);
      return json(names === undefined ? created : { ...created, unconfigured: names }, 201);
    },
  },
  {
    method: 'DELETE',
    path: '/api/keys/:id',
    operation: 'revokeKey',
    summary: 'Ends a key that was made here. Keys of the configuration end with the configuration.',
    answers: { 200: 'The key opens nothing any more.' },
    handle: async ({ params, principal }, { keys }) => {
      const id = params['id'] ?? '';
      const revoked = await keys().revoke(id, principal.id);
      if (revoked) return json({ revoked: id });
      const detail = 'No key with this id was made here and is valid.';
      return { kind: 'refused', refusal: refuse('not_found', { detail }) };
    },
  },
];
