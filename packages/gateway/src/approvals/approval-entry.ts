import type { AuditEntry, AuditKind } from '../ports/audit-log.ts';
import { mendText } from '../storage/mend-text.ts';
import { type ApprovalTable, NO_EXPIRY } from '../storage/tables.ts';

/** Characters of a name that a model or a client chose. */
const NAME_LENGTH = 256;

/** What the audit says about a change of an approval: who, and for which exact call. No contents. */
export function approvalEntry(kind: AuditKind, actor: string, row: ApprovalTable): AuditEntry {
  return {
    kind,
    actor,
    data: {
      approval: mendText(row.id, NAME_LENGTH),
      origin: row.origin,
      place: mendText(row.place, NAME_LENGTH),
      principal: row.principal === null ? null : mendText(row.principal, NAME_LENGTH),
      key: mendText(row.key_id, NAME_LENGTH),
      call: mendText(row.call_id, NAME_LENGTH),
      tool: mendText(row.tool, NAME_LENGTH),
      class: mendText(row.class, NAME_LENGTH),
      contractDigest: row.contract_digest,
      argumentsDigest: row.arguments_digest,
      expiresAt: row.expires_at === NO_EXPIRY ? 'none' : row.expires_at,
      ...(row.edited_digest === null ? {} : { editedDigest: row.edited_digest }),
    },
  };
}
