import { type ApprovalRequest, type ExecutionClass, type ToolDefinition, writeJson } from '@toolgate/core';
import type { ApprovalDesk, DeskDecision, DeskEntry, DeskQuery } from '@toolgate/mcp';
import { lastUse } from '../approvals/last-use.ts';
import type { ApprovalRecord, ApprovalStore } from '../ports/approval-store.ts';
import type { McpExchanges } from './mcp-exchange.ts';
import { sessionPrincipal } from './session-identity.ts';

/** What a served tool is, for whoever decides about it. */
export interface ServedTool {
  /** The mounted server. */
  readonly server: string;
  readonly class: ExecutionClass;
  readonly definition: ToolDefinition;
}

/** What a desk is made of. */
export interface StoreDeskOptions {
  readonly approvals: ApprovalStore;
  readonly exchanges: McpExchanges;
  readonly toolOf: (name: string) => ServedTool | undefined;
}

/** Calls of one principal that may wait for a decision at the same time. */
const MAX_PENDING = 50;

const WHY = 'The rules of the MCP server ask for an approval of this call.';

/**
 * The desk of `serveMcp` on the approvals of the gateway: what was put up through one gateway may be decided at another
 * one and used at a third. A yes is used up once; a no holds for the same call as long as it was asked for.
 *
 * Requests on the served side carry the session's identity as their principal; in the store they carry the principal of
 * the key.
 */
export function createStoreDesk({ approvals, exchanges, toolOf }: StoreDeskOptions): ApprovalDesk {
  return Object.freeze({
    async submit(request: ApprovalRequest) {
      const exchange = exchanges.getStore();
      const tool = toolOf(request.tool);
      if (exchange === undefined || tool === undefined) return false;
      const { principal, requestId } = exchange;
      const waiting = await approvals.list(
        { status: 'pending', origin: 'mcp', principal: principal.id },
        { limit: MAX_PENDING, contents: false },
      );
      if (waiting.items.length >= MAX_PENDING) return false;
      const same = { ...request, principal: principal.id, origin: 'mcp', place: tool.server } as const;
      const ranAt = await lastUse(approvals, same);
      await approvals.create({
        request: { ...request, principal: principal.id },
        origin: 'mcp',
        place: tool.server,
        keyId: principal.keyId,
        requestId,
        definition: tool.definition,
        why: ranAt === undefined ? WHY : `${WHY} ${ranBefore(ranAt)}`,
      });
      return true;
    },
    async find({ call, principal, tool }: DeskQuery) {
      const exchange = exchanges.getStore();
      const served = toolOf(tool);
      if (exchange === undefined || served === undefined || call === undefined) return [];
      const found = await approvals.findSame({
        principal: exchange.principal.id,
        origin: 'mcp',
        place: served.server,
        tool,
        class: served.class,
        ...call,
      });
      const entry = found === undefined ? undefined : toEntry(found, principal);
      return entry === undefined ? [] : [entry];
    },
    // Who asks cannot decide: decisions come through the admin API.
    decide: () => false,
    async take(id: string) {
      const exchange = exchanges.getStore();
      const record = await approvals.get(id);
      if (exchange === undefined || record === undefined || record.principal !== exchange.principal.id)
        return undefined;
      if (record.status === 'approved' && !(await approvals.consume(id))) return undefined;
      const { arguments: edited, argumentsDigest = record.argumentsDigest } = record.settlement ?? {};
      exchange.approval = { id, argumentsDigest, edited: edited && writeJson(edited) };
      return toEntry(record, sessionPrincipal(exchange.principal));
    },
  });
}

function ranBefore(at: number): string {
  return `The same call was approved before, and what was approved went to the server at ${new Date(at).toISOString()}.`;
}

function toEntry(record: ApprovalRecord, principal: string): DeskEntry | undefined {
  const { expiresAt, request } = record;
  if (request === undefined) return undefined;
  const decision = decisionOf(record);
  return {
    // An operator may have given more time since.
    request: { ...request, principal, expiresAt },
    ...(decision === undefined ? {} : { decision }),
  };
}

function decisionOf({ settlement, status }: ApprovalRecord): DeskDecision | undefined {
  if (status === 'approved') {
    const edited = settlement?.arguments;
    return { kind: 'allow', ...(edited === undefined ? {} : { arguments: edited }) };
  }
  if (status !== 'declined') return undefined;
  const reason = settlement?.reason;
  return { kind: 'decline', ...(reason === undefined ? {} : { reason }) };
}
