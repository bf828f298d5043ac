import type { Contract, ExecutionClass, Invocation, JsonObject, JsonValue, Reason } from '@toolgate/core';
import type { UnreadCall } from '@toolgate/model';
import type { Draft } from '../../internal/draft.ts';
import type { CallEntry, CallLog, CallVerdict as LoggedVerdict } from '../../ports/call-log.ts';
import { argumentsDigest } from './arguments-digest.ts';
import type { AuditGuard } from './audit-guard.ts';
import {
  type CallAnswer,
  type ProposedCall,
  RELEASE,
  type RefuseVerdict,
  type ReleaseVerdict,
  refuseCall,
} from './call-verdict.ts';
import type { Caller } from './caller.ts';

/** What is known about a call that its schema lets through. */
export interface AdmittedCall {
  readonly call: ProposedCall;
  readonly class: ExecutionClass;
  readonly contract: Contract;
  readonly invocation: Invocation;
}

/** What is written down about a call besides the verdict. */
export interface CallNote {
  readonly admitted?: AdmittedCall | undefined;
  /** Never for a client. */
  readonly detail?: string | undefined;
  readonly approvalId?: string | undefined;
  /** When the call was proposed, by the wall clock. */
  readonly since?: number | undefined;
  /** Its arguments are not known. */
  readonly unread?: true;
}

/** Writes down what was said about the calls of one request. */
export interface CallAccount {
  released(call: ProposedCall, verdict?: ReleaseVerdict, note?: CallNote): CallAnswer;
  refused(call: ProposedCall, verdict: RefuseVerdict, note?: CallNote): RefuseVerdict;
  /** Would have been refused. */
  observed(call: ProposedCall, reason: Reason, note?: CallNote): ReleaseVerdict;
  /** Nobody looked at it: it was withheld, or went by where a route is a mere passage. */
  unread(call: UnreadCall, passed: boolean): void;
}

/** What an account is made of. */
export interface CallAccountOptions {
  readonly caller: Caller;
  readonly calls: CallLog;
  readonly audit: AuditGuard;
  /** Whether calls that needed no approval are audited too. */
  readonly auditAllowed: boolean;
  /** Whether argument texts are kept. */
  readonly contents: boolean;
  readonly newId: () => string;
  readonly now: () => number;
  /** Learns how many calls there were so far. */
  readonly onCount: (count: number) => void;
}

/** A made-up name may be as long as a model likes. */
const MAX_NAME_LENGTH = 128;

/** Makes the account of one request. */
export function createCallAccount(options: CallAccountOptions): CallAccount {
  const { audit, auditAllowed, caller, calls, contents, newId, now, onCount } = options;
  let count = 0;

  const entryOf = (call: ProposedCall, verdict: LoggedVerdict, reason: string, note: CallNote): CallEntry => {
    const { admitted, approvalId, detail, since, unread } = note;
    const at = now();
    const entry: Draft<CallEntry> = {
      id: newId(),
      at,
      requestId: caller.requestId,
      origin: 'llm',
      place: caller.route,
      principal: caller.principal.id,
      keyId: caller.principal.keyId,
      callId: cut(call.callId),
      tool: cut(call.name),
      verdict,
      reason,
    };
    if (!unread) {
      entry.argumentsBytes = Buffer.byteLength(call.arguments);
      if (contents) entry.arguments = call.arguments;
    }
    if (admitted !== undefined) {
      entry.class = admitted.class;
      entry.contractDigest = admitted.contract.digest;
      entry.argumentsDigest = argumentsDigest(admitted.invocation);
    }
    if (detail !== undefined) entry.detail = detail;
    if (approvalId !== undefined) entry.approvalId = approvalId;
    if (since !== undefined) entry.durationMs = Math.max(0, at - since);
    return entry;
  };
  const record = (call: ProposedCall, verdict: LoggedVerdict, reason: string, note: CallNote): CallEntry => {
    count += 1;
    onCount(count);
    const entry = entryOf(call, verdict, reason, note);
    calls.record(entry);
    return entry;
  };

  const refused = (call: ProposedCall, verdict: RefuseVerdict, note: CallNote = {}): RefuseVerdict => {
    const entry = record(call, 'refused', verdict.reason, note);
    void audit.note({ kind: 'call-refuse', actor: caller.principal.id, data: auditData(entry) });
    return verdict;
  };

  return {
    released(call: ProposedCall, verdict: ReleaseVerdict = RELEASE, note: CallNote = {}) {
      const approved = note.approvalId !== undefined;
      const entry = record(call, 'allowed', approved ? 'approved' : 'permitted', note);
      if (!approved && !auditAllowed) return verdict;
      const link = { kind: 'call-allow', actor: caller.principal.id, data: auditData(entry) } as const;
      const written = approved ? audit.write(link) : audit.note(link);
      return written?.then((durable) => (durable ? verdict : refuseCall('not_started'))) ?? verdict;
    },
    refused,
    observed(call: ProposedCall, reason: Reason, note: CallNote = {}) {
      record(call, 'observed', reason, note);
      return RELEASE;
    },
    unread({ callId, name }: UnreadCall, passed: boolean) {
      const call = { callId, name, arguments: '', complete: true, foreign: true };
      if (passed) record(call, 'observed', 'call_unread', { unread: true });
      else refused(call, refuseCall('call_unread'), { unread: true });
    },
  };
}

function cut(text: string): string {
  return text.length <= MAX_NAME_LENGTH ? text : `${text.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}

/** What the audit says about a call. Sorted by name, as its canonical JSON is, so that nobody has to sort it again. */
function auditData(entry: CallEntry): JsonObject {
  const { approvalId, contractDigest, detail } = entry;
  const data: Record<string, JsonValue> = {};
  if (approvalId !== undefined) data['approvalId'] = approvalId;
  if (entry.argumentsDigest !== undefined) data['argumentsDigest'] = entry.argumentsDigest;
  data['callId'] = entry.callId.toWellFormed();
  if (contractDigest !== undefined) data['contractDigest'] = contractDigest;
  if (detail !== undefined) data['detail'] = detail;
  data['entryId'] = entry.id;
  data['keyId'] = entry.keyId;
  data['place'] = entry.place;
  data['reason'] = entry.reason;
  data['requestId'] = entry.requestId;
  data['tool'] = entry.tool.toWellFormed();
  return data;
}
