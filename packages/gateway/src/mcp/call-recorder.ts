import type { Authorizer, Digest, ExecutionClass, GateEvent, GateObserver, JsonObject } from '@toolgate/core';
import type { AuditGuard } from '../llm/firewall/audit-guard.ts';
import type { Caller } from '../llm/firewall/caller.ts';
import type { AuditKind } from '../ports/audit-log.ts';
import type { CallEntry, CallLog } from '../ports/call-log.ts';
import type { McpCaller, McpExchange, McpExchanges } from './mcp-exchange.ts';

/** What of a tool is written down about its calls. */
export interface RecordedTool {
  readonly server: string;
  readonly class: ExecutionClass;
  readonly contractDigest: Digest;
}

/** What a recorder is made of. */
export interface CallRecorderOptions {
  readonly exchanges: McpExchanges;
  readonly calls: CallLog;
  readonly audit: AuditGuard;
  readonly newId: () => string;
  /** The application's own authorizer. */
  readonly authorize: Authorizer<Caller> | undefined;
}

/** Writes down what becomes of calls of mounted tools, as the model's calls are. */
export interface CallRecorder {
  /** Asked about every call of a server's tools: refuses what the application refuses, and what could not be audited. */
  readonly authorize: (server: string) => Authorizer<McpCaller>;
  /** For a gate with `content: 'full'`. */
  readonly observe: (toolOf: (name: string) => RecordedTool | undefined) => GateObserver;
}

/** One call on its way. */
interface Track {
  readonly exchange: McpExchange;
  readonly tool: RecordedTool | undefined;
  readonly text: string;
  argumentsDigest: Digest | undefined;
  approvalId: string | undefined;
}

/** Makes the recorder of a gateway. */
export function createCallRecorder(options: CallRecorderOptions): CallRecorder {
  const { audit, calls, exchanges, newId } = options;
  const tracks = new Map<string, Track>();

  const begin = (callId: string, text: string, tool: RecordedTool | undefined): void => {
    const exchange = exchanges.getStore();
    if (exchange === undefined) return;
    exchange.onCall();
    const { approval } = exchange;
    tracks.set(callId, {
      exchange,
      tool,
      // What goes to the server, as its digest says.
      text: approval?.edited ?? text,
      argumentsDigest: approval?.argumentsDigest,
      approvalId: approval?.id,
    });
  };
  const note = (
    kind: AuditKind,
    track: Track,
    event: { callId: string; tool: string },
    reason: string,
  ): void => {
    void audit.note({ kind, actor: track.exchange.principal.id, data: auditData(track, event, reason) });
  };
  const goOn = (event: GateEvent & { kind: 'approval-request' | 'call-dispatch' }): void => {
    const track = tracks.get(event.callId);
    if (track === undefined) return;
    if (event.kind === 'approval-request') track.approvalId = event.approvalId;
    else if (isAudited(track))
      note('call-allow', track, event, track.approvalId === undefined ? 'permitted' : 'approved');
  };
  const end = (event: GateEvent & { kind: 'call-end' }): void => {
    const track = tracks.get(event.callId);
    if (track === undefined) return;
    tracks.delete(event.callId);
    const entry = toEntry(newId(), event, track);
    calls.record(entry);
    // A question is in the audit by itself.
    if (event.outcome === 'suspended') return;
    if (!event.dispatched) note('call-refuse', track, event, event.reason);
    else if (isAudited(track)) note('call-end', track, event, event.reason);
  };

  return Object.freeze({
    authorize:
      (server: string): Authorizer<McpCaller> =>
      async (question) => {
        const track = tracks.get(question.callId);
        if (track !== undefined) track.argumentsDigest = question.argumentsDigest;
        const exchange = track?.exchange ?? exchanges.getStore();
        if (exchange === undefined) return false;
        if (
          options.authorize !== undefined &&
          !(await permits(options.authorize, question, exchange, server))
        )
          return false;
        if (audit.healthy || track === undefined) return true;
        // After a failure nothing runs that is not recorded first.
        return audit.write({
          kind: 'call-allow',
          actor: exchange.principal.id,
          data: auditData(track, { callId: question.callId, tool: question.definition.name }, 'permitted'),
        });
      },
    observe:
      (toolOf: (name: string) => RecordedTool | undefined): GateObserver =>
      (event) => {
        if (event.kind === 'call-start') begin(event.callId, event.arguments ?? '', toolOf(event.tool));
        else if (event.kind === 'call-end') end(event);
        else if (event.kind === 'approval-request' || event.kind === 'call-dispatch') goOn(event);
      },
  });
}

async function permits(
  authorize: Authorizer<Caller>,
  question: Parameters<Authorizer<McpCaller>>[0],
  { principal, requestId }: McpExchange,
  server: string,
): Promise<boolean> {
  try {
    const answer: unknown = await authorize({
      callId: question.callId,
      definition: question.definition,
      arguments: question.arguments,
      argumentsDigest: question.argumentsDigest,
      signal: question.signal,
      context: Object.freeze({ principal, requestId, route: server }),
    });
    return answer === true;
  } catch {
    // It could not decide: no yes, and the session of the client goes on.
    return false;
  }
}

function isAudited({ approvalId, exchange }: Track): boolean {
  return exchange.auditAllowed || approvalId !== undefined;
}

function toEntry(id: string, event: GateEvent & { kind: 'call-end' }, track: Track): CallEntry {
  const { approvalId, argumentsDigest, exchange, text, tool } = track;
  const { contents, principal, requestId } = exchange;
  const { output } = event;
  return {
    id,
    at: event.at,
    requestId,
    origin: 'mcp',
    place: tool?.server ?? '',
    principal: principal.id,
    keyId: principal.keyId,
    callId: event.callId,
    tool: event.tool,
    verdict: event.dispatched ? 'allowed' : 'refused',
    reason: event.reason,
    argumentsBytes: Buffer.byteLength(text),
    durationMs: event.durationMs,
    ...(tool === undefined ? {} : { class: tool.class, contractDigest: tool.contractDigest }),
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(event.detail === undefined ? {} : { detail: event.detail }),
    ...(approvalId === undefined ? {} : { approvalId }),
    ...(contents ? { arguments: text } : {}),
    ...(contents && output !== undefined ? { result: output.structured ?? output.text() } : {}),
  };
}

function auditData(
  { approvalId, argumentsDigest, exchange, tool }: Track,
  event: { readonly callId: string; readonly tool: string },
  reason: string,
): JsonObject {
  return {
    callId: event.callId.toWellFormed(),
    keyId: exchange.principal.keyId,
    place: tool?.server ?? '',
    reason,
    requestId: exchange.requestId,
    tool: event.tool.toWellFormed(),
    ...(tool === undefined ? {} : { contractDigest: tool.contractDigest }),
    ...(argumentsDigest === undefined ? {} : { argumentsDigest }),
    ...(approvalId === undefined ? {} : { approvalId }),
  };
}
