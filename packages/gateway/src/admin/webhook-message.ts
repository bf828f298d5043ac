import type { JsonObject } from '@toolgate/core';
import type { ApprovalRecord, ApprovalStatus } from '../ports/approval-store.ts';

/** One message to a webhook. */
export interface WebhookMessage {
  /** Unique; the same again for the same change after a restart. */
  readonly id: string;
  readonly body: string;
}

const TYPES: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'approval.pending',
  approved: 'approval.approved',
  declined: 'approval.declined',
  expired: 'approval.expired',
  cancelled: 'approval.cancelled',
};

/**
 * Tells of one change of an approval. Without `contents` neither the arguments nor the definition of the tool nor what
 * a reviewer wrote are in it: whoever is told looks them up with a key of their own.
 */
export function toWebhookMessage(record: ApprovalRecord, contents: boolean): WebhookMessage {
  return { id: `${record.id}.${record.revision}`, body: bodyOf(TYPES[record.status], record, contents) };
}

/** Tells that an approval is still pending and its time nearly over. */
export function toExpiringMessage(record: ApprovalRecord, contents: boolean): WebhookMessage {
  return {
    id: `${record.id}.${record.revision}.expiring`,
    body: bodyOf('approval.expiring', record, contents),
  };
}

function bodyOf(type: string, record: ApprovalRecord, contents: boolean): string {
  const { request, definition, settlement, revision, ...facts } = record;
  const data: JsonObject = {
    ...(facts as unknown as JsonObject),
    ...(settlement === undefined ? {} : { settledBy: settlement.by, settledAt: settlement.at }),
    ...(contents && request !== undefined ? { arguments: request.arguments } : {}),
    ...(contents && definition !== undefined ? { definition: definition as unknown as JsonObject } : {}),
    ...(contents && settlement?.reason !== undefined ? { reason: settlement.reason } : {}),
  };
  return JSON.stringify({ type, revision, data });
}
