import { type ApprovalRequest, digest, type JsonObject, type ToolDefinition } from '@toolgate/core';
import type { NewApproval } from '../src/ports/approval-store.ts';

/** What a model was shown of the tool. */
export const PAY: ToolDefinition = {
  name: 'pay',
  description: 'Pays.',
  inputSchema: { type: 'object', properties: { amount: { type: 'integer' } } },
};

/** An approval for one exact call, with what a test changes of its request. */
export function payment(
  id: string,
  { arguments: args = { amount: 5 }, ...request }: Partial<ApprovalRequest> = {},
): NewApproval {
  return {
    request: requestOf(id, args, request),
    origin: 'llm',
    place: 'chat',
    keyId: 'key-1',
    requestId: 'request-1',
    definition: PAY,
    why: 'Calls of this class need a yes.',
  };
}

function requestOf(id: string, args: JsonObject, request: Partial<ApprovalRequest>): ApprovalRequest {
  return {
    id,
    callId: `call-of-${id}`,
    tool: 'pay',
    class: 'external',
    contractDigest: digest({ ...PAY } as unknown as JsonObject),
    argumentsDigest: digest(args),
    arguments: args,
    principal: 'ana',
    requestedAt: 1_000,
    expiresAt: 61_000,
    ...request,
  };
}
