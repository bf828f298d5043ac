import {
  type ApprovalRequest,
  canonicalJson,
  type Digest,
  digest,
  type ExecutionClass,
  freezeJson,
  type JsonObject,
  readApprovalRequest,
  readJson,
  type ToolDefinition,
} from '@toolgate/core';
import type {
  ApprovalRecord,
  ApprovalSettlement,
  ApprovalStatus,
  CallOrigin,
  NewApproval,
} from '../ports/approval-store.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { type ApprovalTable, NO_EXPIRY } from '../storage/tables.ts';

const STATUSES: readonly ApprovalStatus[] = ['pending', 'approved', 'declined', 'expired', 'cancelled'];
const ORIGINS: readonly CallOrigin[] = ['llm', 'mcp'];
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Members of a request that have columns of their own. */
type RequestFacts = Omit<ApprovalRequest, 'arguments' | 'filled' | 'principal'> & {
  readonly principal: string | undefined;
};

/** What was stored was admitted once; its own bounds were checked then. */
const READING = { maxBytes: 'none', maxDepth: 1_000 } as const;

/** The row of an approval that begins to wait. */
export function toRow(approval: NewApproval, request: ApprovalRequest, revision: number): ApprovalTable {
  return {
    id: request.id,
    status: 'pending',
    origin: approval.origin,
    place: approval.place,
    key_id: approval.keyId,
    request_id: approval.requestId ?? null,
    principal: request.principal ?? null,
    call_id: request.callId,
    tool: request.tool,
    class: request.class,
    contract_digest: request.contractDigest,
    arguments_digest: request.argumentsDigest,
    requested_at: Math.floor(request.requestedAt),
    expires_at: request.expiresAt === 'none' ? NO_EXPIRY : Math.floor(request.expiresAt),
    why: approval.why ?? null,
    request: JSON.stringify(request),
    definition: JSON.stringify(approval.definition),
    settled_by: null,
    settled_at: null,
    reason: null,
    edited: null,
    edited_digest: null,
    consumed_at: null,
    created: revision,
    revision,
  };
}

/**
 * The record of a row. Reads every member: a row that was changed by somebody else must not turn into an approval
 * without a limit.
 *
 * @throws GatewayError `gateway/record-unreadable`.
 */
export function toRecord(row: ApprovalTable): ApprovalRecord {
  try {
    return readRow(row);
  } catch (cause) {
    throw new GatewayError('gateway/record-unreadable', 'An approval that is stored cannot be read.', {
      cause,
    });
  }
}

function readRow(row: ApprovalTable): ApprovalRecord {
  const expiresAt = readTime(row.expires_at);
  const facts = {
    id: readText(row.id),
    principal: row.principal ?? undefined,
    callId: readText(row.call_id),
    tool: readText(row.tool),
    // A word outside the list stays as it is; it ranks highest.
    class: readText(row.class) as ExecutionClass,
    contractDigest: readDigest(row.contract_digest),
    argumentsDigest: readDigest(row.arguments_digest),
    requestedAt: readTime(row.requested_at),
    expiresAt: expiresAt === NO_EXPIRY ? ('none' as const) : expiresAt,
  };
  const { principal, ...others } = facts;
  const status = oneOf(STATUSES, row.status);
  const settlement = readSettlement(row);
  check((status === 'pending') === (settlement === undefined));
  check(row.consumed_at === null || status === 'approved');
  check(row.edited_digest === null || status === 'approved');
  return Object.freeze({
    ...others,
    ...(principal === undefined ? {} : { principal }),
    status,
    origin: oneOf(ORIGINS, row.origin),
    place: readText(row.place),
    keyId: readText(row.key_id),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(row.why === null ? {} : { why: row.why }),
    ...(row.request === null ? {} : { request: readRequest(row.request, facts) }),
    ...(row.definition === null ? {} : { definition: readDefinition(row.definition, facts.contractDigest) }),
    ...(settlement === undefined ? {} : { settlement }),
    ...(row.consumed_at === null ? {} : { consumedAt: readTime(row.consumed_at) }),
    revision: readTime(row.revision),
  });
}

function readRequest(text: string, facts: RequestFacts): ApprovalRequest {
  const request = readApprovalRequest(readJson(text, READING));
  for (const name of Object.keys(facts) as readonly (keyof RequestFacts)[]) {
    const found = request[name];
    check((typeof found === 'number' ? Math.floor(found) : found) === facts[name]);
  }
  return request;
}

function readDefinition(text: string, expected: Digest): ToolDefinition {
  const value = freezeJson(readJson(text, READING));
  // It is what reviewers judge by, and what edited arguments are held against.
  check(digest(value) === expected);
  check(isObject(value) && typeof value['name'] === 'string' && isObject(value['inputSchema']));
  return value as unknown as ToolDefinition;
}

function readSettlement(row: ApprovalTable): ApprovalSettlement | undefined {
  if (row.settled_at === null) {
    check(row.settled_by === null);
    return undefined;
  }
  const edited = row.edited === null ? undefined : readEdited(row.edited, row.edited_digest);
  return Object.freeze({
    by: readText(row.settled_by),
    at: readTime(row.settled_at),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(edited === undefined ? {} : { arguments: edited }),
    ...(row.edited_digest === null ? {} : { argumentsDigest: readDigest(row.edited_digest) }),
  });
}

function readEdited(text: string, expected: string | null): JsonObject {
  const value = freezeJson(readJson(text, READING));
  check(isObject(value) && digest(value) === expected && canonicalJson(value) === text);
  return value as JsonObject;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(value: unknown): string {
  check(typeof value === 'string' && value !== '');
  return value as string;
}

function readTime(value: unknown): number {
  check(Number.isSafeInteger(value) && Number(value) >= 0);
  return value as number;
}

function readDigest(value: unknown): Digest {
  check(typeof value === 'string' && DIGEST.test(value));
  return value as Digest;
}

function oneOf<Word extends string>(words: readonly Word[], value: string): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new RangeError('a word that is not on its list');
  return found;
}

function check(holds: boolean): void {
  if (!holds) throw new RangeError('a member that does not fit');
}
