import type { Digest } from '@toolgate/core';
import type { AuditHead } from '../ports/audit-log.ts';
import { type AdminEndpoint, json } from './admin-endpoint.ts';
import { TIME } from './list-query.ts';

/** Addresses of the audit. */
export const auditEndpoints: readonly AdminEndpoint[] = [
  {
    method: 'GET',
    path: '/api/audit',
    operation: 'exportAudit',
    summary: 'The audit as JSON lines, oldest first.',
    query: { after: { ...TIME, description: 'Only records after this number.' } },
    answers: { 200: 'Lines of application/jsonl.' },
    handle: async ({ principal, query }, { stores }) => {
      const after = Number(query['after'] ?? 0);
      await stores.audit.append({ kind: 'audit-export', actor: principal.id, data: { after } });
      return { kind: 'lines', contentType: 'application/jsonl', lines: stores.audit.export(after) };
    },
  },
  {
    method: 'GET',
    path: '/api/audit/head',
    operation: 'showAuditHead',
    summary: 'Number and digest of the last record: keep it elsewhere, and a cut tail is found.',
    answers: { 200: 'The head.' },
    handle: async (_request, { stores }) => json(await stores.audit.head()),
  },
  {
    method: 'POST',
    path: '/api/audit/verify',
    operation: 'verifyAudit',
    summary: 'Reads the whole chain and names its first bad record.',
    body: {
      type: 'object',
      properties: {
        anchor: {
          type: 'object',
          description: 'A head that was kept elsewhere; the chain has to contain it.',
          properties: {
            seq: { type: 'integer', minimum: 0 },
            digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
          },
          required: ['seq', 'digest'],
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    answers: { 200: 'What was found; a bad record is an answer, not an error.' },
    handle: async ({ body }, { stores }) => {
      const anchor = body['anchor'] as { readonly seq: number; readonly digest: Digest } | undefined;
      return json(
        await stores.audit.verify(anchor === undefined ? {} : { anchor: anchor satisfies AuditHead }),
      );
    },
  },
];
