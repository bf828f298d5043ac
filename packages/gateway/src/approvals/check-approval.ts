import { type ApprovalRequest, readApprovalRequest } from '@toolgate/core';
import type { Decision, NewApproval } from '../ports/approval-store.ts';
import { SYSTEM_ACTOR } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { mendText } from '../storage/mend-text.ts';
import type { ApprovalTable } from '../storage/tables.ts';
import { toRecord, toRow } from './approval-row.ts';

const MAX_REASON_LENGTH = 2_000;
const MAX_NAME_LENGTH = 256;
const CONTROL = /\p{Cc}/u;

/**
 * The row of a new approval that can be stored and read again.
 *
 * @throws PolicyError `policy/request-invalid`; GatewayError `gateway/entry-invalid`.
 */
export function checkApproval(approval: NewApproval, revision: number): ApprovalTable {
  const request: ApprovalRequest = readApprovalRequest(approval.request);
  const row = toRow(approval, request, revision);
  for (const value of Object.values(row)) {
    if (typeof value === 'string' && mendText(value, value.length) !== value)
      throw invalid('a text is no plain text');
  }
  try {
    toRecord(row);
  } catch (cause) {
    throw new GatewayError(
      'gateway/entry-invalid',
      'An approval with these members could not be read again.',
      {
        cause,
      },
    );
  }
  return row;
}

/** @throws GatewayError `gateway/entry-invalid`. */
export function checkDecision({ verdict, by, reason, arguments: edited }: Decision): void {
  if (verdict !== 'approve' && verdict !== 'decline') throw invalid('its verdict is approve or decline');
  checkName(by);
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MAX_REASON_LENGTH))
    throw invalid(`its reason is a text of at most ${MAX_REASON_LENGTH} characters`);
  if (edited !== undefined && verdict !== 'approve') throw invalid('only an approval edits arguments');
}

/** @throws GatewayError `gateway/entry-invalid`. */
export function checkName(by: string): void {
  if (typeof by !== 'string' || by === '' || by.length > MAX_NAME_LENGTH || CONTROL.test(by))
    throw invalid(`who decides is a text of 1 to ${MAX_NAME_LENGTH} characters without controls`);
  if (by === SYSTEM_ACTOR) throw invalid('in the audit that name stands for the gateway itself');
}

function invalid(why: string): GatewayError {
  return new GatewayError('gateway/entry-invalid', `An approval or decision cannot be written: ${why}.`);
}
