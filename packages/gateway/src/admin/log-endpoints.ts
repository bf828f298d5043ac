import { refuse } from '../http/refusal.ts';
import type { CallEntry } from '../ports/call-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import type { GatewayStores } from '../ports/gateway-stores.ts';
import { type AdminEndpoint, json } from './admin-endpoint.ts';
import { summaryOf } from './approval-endpoints.ts';
import { filterOf, PAGE_QUERY, pageOf, TEXT, TIME } from './list-query.ts';

/** Addresses of what was logged. Lists hold no contents; whoever looks at one entry with contents is audited. */
export const logEndpoints: readonly AdminEndpoint[] = [
  {
    method: 'GET',
    path: '/api/calls',
    operation: 'listCalls',
    summary: 'Tool calls, newest first: who, what, the verdict and its reason.',
    query: {
      ...PAGE_QUERY,
      principal: TEXT,
      place: TEXT,
      tool: TEXT,
      verdict: { type: 'string', enum: ['allowed', 'refused', 'observed'] },
      requestId: TEXT,
      since: TIME,
    },
    answers: { 200: 'A page of calls.' },
    handle: async ({ query }, { stores }) => {
      const { items, ...page } = await stores.calls.list(filterOf(query), pageOf(query));
      return json({ ...page, items: items.map(callSummary) });
    },
  },
  {
    method: 'GET',
    path: '/api/calls/:id',
    operation: 'showCall',
    summary:
      'One tool call, with its contents where they are kept, and its approval as lists show it: who decided, and when. `unreadable` is one that was changed or damaged.',
    answers: { 200: 'The call.' },
    handle: async ({ params, principal }, { stores }) => {
      const entry = await stores.calls.get(params['id'] ?? '');
      if (entry === undefined)
        return { kind: 'refused', refusal: refuse('not_found', { detail: 'No call has this id.' }) };
      if (entry.arguments !== undefined || entry.result !== undefined) {
        await stores.audit.append({ kind: 'contents-read', actor: principal.id, data: { call: entry.id } });
      }
      const { approvalId } = entry;
      const approval = approvalId === undefined ? undefined : await approvalOf(approvalId, stores);
      return json(approval === undefined ? entry : { ...entry, approval });
    },
  },
  {
    method: 'GET',
    path: '/api/traffic',
    operation: 'listTraffic',
    summary: 'Requests, newest first: route, candidate, status, usage, losses, times.',
    query: {
      ...PAGE_QUERY,
      principal: TEXT,
      route: TEXT,
      surface: {
        type: 'string',
        enum: ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'models', 'mcp', 'admin'],
      },
      since: TIME,
    },
    answers: { 200: 'A page of requests.' },
    handle: async ({ query }, { stores }) => {
      const { items, ...page } = await stores.traffic.list(filterOf(query), pageOf(query));
      return json({ ...page, items });
    },
  },
  {
    method: 'GET',
    path: '/api/traffic/:id',
    operation: 'showTraffic',
    summary: 'One request.',
    answers: { 200: 'The request.' },
    handle: async ({ params }, { stores }) => {
      const entry = await stores.traffic.get(params['id'] ?? '');
      if (entry === undefined)
        return { kind: 'refused', refusal: refuse('not_found', { detail: 'No request has this id.' }) };
      return json(entry);
    },
  },
];

/** One that was changed or damaged does not keep its call from being seen. */
async function approvalOf(id: string, { approvals }: GatewayStores): Promise<object | undefined> {
  try {
    const record = await approvals.get(id);
    return record === undefined ? undefined : summaryOf(record);
  } catch (error) {
    if (!GatewayError.is(error) || error.code !== 'gateway/record-unreadable') throw error;
    return { id, unreadable: true };
  }
}

function callSummary({ arguments: _arguments, result: _result, ...summary }: CallEntry): object {
  return summary;
}
