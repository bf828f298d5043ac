import { ContractError, defineContract, describeIssues, type JsonObject, writeJson } from '@toolgate/core';
import { linearPatterns } from '@toolgate/mcp/linear-patterns';
import { refuse } from '../http/refusal.ts';
import type { ApprovalRecord, Decision } from '../ports/approval-store.ts';
import { type AdminAnswer, type AdminEndpoint, type AdminRequest, json } from './admin-endpoint.ts';
import type { AdminServices } from './admin-services.ts';
import { filterOf, MAX_TIME, PAGE_QUERY, pageOf, TEXT } from './list-query.ts';

const NOT_FOUND: AdminAnswer = {
  kind: 'refused',
  refusal: refuse('not_found', { detail: 'No approval has this id.' }),
};

/** An approval as lists show it: what it is about, not what is in it. */
export function summaryOf({
  request: _request,
  definition: _definition,
  settlement,
  ...summary
}: ApprovalRecord): object {
  if (settlement === undefined) return summary;
  const { arguments: _arguments, ...facts } = settlement;
  return { ...summary, settlement: facts };
}

/** Addresses of approvals. */
export const approvalEndpoints: readonly AdminEndpoint[] = [
  {
    method: 'GET',
    path: '/api/approvals',
    operation: 'listApprovals',
    summary: 'Approvals, newest first, without arguments.',
    query: {
      ...PAGE_QUERY,
      status: { type: 'string', enum: ['pending', 'approved', 'declined', 'expired', 'cancelled'] },
      principal: TEXT,
      tool: TEXT,
      origin: { type: 'string', enum: ['llm', 'mcp'] },
      place: TEXT,
    },
    answers: { 200: 'A page of approvals.' },
    handle: async ({ query }, { stores }) => {
      const { items, ...page } = await stores.approvals.list(filterOf(query), {
        ...pageOf(query),
        contents: false,
      });
      return json({ ...page, items: items.map(summaryOf) });
    },
  },
  {
    method: 'GET',
    path: '/api/approvals/:id',
    operation: 'showApproval',
    summary: 'One approval with its exact arguments, and how its contract differs from the reviewed one.',
    answers: { 200: 'The approval.' },
    handle: async ({ params, principal }, { drift, stores }) => {
      const record = await stores.approvals.get(params['id'] ?? '');
      if (record === undefined) return NOT_FOUND;
      if (record.request !== undefined) {
        const data = { approval: record.id };
        await stores.audit.append({ kind: 'contents-read', actor: principal.id, data });
      }
      const difference = drift(record);
      return json(difference === undefined ? record : { ...record, drift: difference });
    },
  },
  {
    method: 'POST',
    path: '/api/approvals/:id/approve',
    operation: 'approveCall',
    summary: 'Says yes, once, to the exact call; or to the same tool with the arguments that are given.',
    body: {
      type: 'object',
      properties: { arguments: { type: 'object', description: 'Instead of the proposed ones.' } },
      additionalProperties: false,
    },
    answers: {
      200: 'It counts.',
      403: 'The key may not, or what is asked for is its own (`approvals.fourEyes`).',
      409: 'It was settled before; here is how.',
      422: 'The arguments do not fit.',
    },
    handle: async (request, services) => {
      const { arguments: edited } = request.body;
      if (edited === undefined) return decide(request, services, { verdict: 'approve' });
      const record = await services.stores.approvals.get(request.params['id'] ?? '');
      if (record === undefined) return NOT_FOUND;
      if (record.status !== 'pending') return settled(record);
      const refused = refusedArguments(record, edited as JsonObject);
      return refused ?? decide(request, services, { verdict: 'approve', arguments: edited as JsonObject });
    },
  },
  {
    method: 'POST',
    path: '/api/approvals/:id/decline',
    operation: 'declineCall',
    summary: 'Says no. The reason is for the model.',
    body: {
      type: 'object',
      properties: { reason: { type: 'string', maxLength: 2_000 } },
      additionalProperties: false,
    },
    answers: { 200: 'It counts.', 409: 'It was settled before; here is how.' },
    handle: async (request, services) => {
      const { reason } = request.body;
      return decide(request, services, {
        verdict: 'decline',
        ...(typeof reason === 'string' ? { reason } : {}),
      });
    },
  },
  {
    method: 'POST',
    path: '/api/approvals/:id/extend',
    operation: 'extendApproval',
    summary: 'Gives more time to a pending approval; never less.',
    body: {
      type: 'object',
      properties: {
        expiresAt: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_TIME,
          description: 'Milliseconds since the epoch.',
        },
      },
      required: ['expiresAt'],
      additionalProperties: false,
    },
    answers: { 200: 'The approval as it is now.', 409: 'It is not pending.' },
    handle: async ({ body, params, principal }, { stores }) => {
      const id = params['id'] ?? '';
      const record = await stores.approvals.extend(id, Number(body['expiresAt']), principal.id);
      if (record !== undefined) return json(summaryOf(record));
      const present = await stores.approvals.get(id);
      return present === undefined ? NOT_FOUND : settled(present);
    },
  },
];

async function decide(
  { params, principal }: AdminRequest,
  { stores }: AdminServices,
  decision: Omit<Decision, 'by'>,
): Promise<AdminAnswer> {
  const result = await stores.approvals.decide(params['id'] ?? '', { ...decision, by: principal.id });
  switch (result.kind) {
    case 'decided':
      return json(summaryOf(result.record));
    case 'conflict':
    case 'expired':
      return settled(result.record);
    case 'own':
      return { kind: 'refused', refusal: refuse('approval_own') };
    case 'unknown':
      return NOT_FOUND;
  }
}

function settled(record: ApprovalRecord): AdminAnswer {
  return {
    kind: 'refused',
    refusal: refuse('approval_settled', { detail: `It is ${record.status}.` }),
    more: { approval: summaryOf(record) as JsonObject },
  };
}

/** What the contract says against edited arguments; the reviewer wrote them and may see why. */
function refusedArguments(
  { callId, definition }: ApprovalRecord,
  edited: JsonObject,
): AdminAnswer | undefined {
  const invalid = (detail: string): AdminAnswer => ({
    kind: 'refused',
    refusal: refuse('arguments_invalid', { detail }),
  });
  if (definition === undefined) return invalid('The definition is no longer kept.');
  try {
    const contract = defineContract(definition, { trust: 'foreign', patternEngine: linearPatterns });
    const prepared = contract.prepare({ id: callId, name: definition.name, arguments: writeJson(edited) });
    if (prepared.ok) return undefined;
    const { issues } = prepared.error;
    return invalid(issues === undefined ? prepared.error.text : describeIssues(issues));
  } catch (error) {
    if (ContractError.is(error)) return invalid('The definition cannot be read any more.');
    throw error;
  }
}
