import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type ExecuteOptions, GateError, type Outcome, type ToolCall, writeJson } from '@toolgate/core';
import type { ApprovalRound } from './approval-round.ts';
import { callResult, textResult } from './call-result.ts';
import type { Connection } from './connection.ts';
import type { IncomingCall, ProjectResult } from './incoming-call.ts';
import { progressRelay } from './progress-relay.ts';
import { identityOf } from './request-identity.ts';

const TOO_MANY = 'The call was not started: too many calls are waiting for an answer.';

/**
 * Answers `tools/call`. The contract of the gate reads the arguments; nothing before it repairs or defaults anything.
 * An unknown and a hidden tool get the same answer.
 *
 * @throws ProtocolError when a policy could not decide; its text is fixed.
 */
export async function callTool<Context>(
  connection: Connection<Context>,
  round: ApprovalRound<Context>,
  { name, arguments: args = {} }: CallToolRequest['params'],
  context: ServerContext,
  project: ProjectResult,
): Promise<CallToolResult | InputRequiredResult> {
  const leave = connection.core.calls.enter(connection.identity.principal);
  if (leave === undefined) return textResult(TOO_MANY);
  try {
    const run = await connection.run(identityOf(context));
    const text = writeJson(args, { maxDepth: 'none', maxBytes: 'none' });
    return await run.use(() => answer({ connection, run, name, text, context, project }, round));
  } finally {
    leave();
  }
}

async function answer<Context>(
  incoming: IncomingCall<Context>,
  round: ApprovalRound<Context>,
): Promise<CallToolResult | InputRequiredResult> {
  const { run, name, text, project } = incoming;
  const decided = await round.resume(incoming);
  if (decided.kind === 'answer') return decided.result;
  const call = { id: decided.callId ?? run.nextCallId(), name, arguments: text };
  const outcome = await execute(incoming, call, decided.options);
  if (outcome.kind === 'suspended') return round.suspend(incoming, outcome.approval);
  const definition = run.offered(name);
  return project(callResult(outcome, definition), definition?.outputSchema);
}

async function execute<Context>(
  { connection, run, context }: IncomingCall<Context>,
  call: ToolCall,
  decision: ExecuteOptions,
): Promise<Outcome> {
  const relay = progressRelay(context);
  const { signal } = context.mcpReq;
  try {
    return await run.session.execute(call, {
      ...decision,
      signal,
      ...(relay === undefined ? {} : { progress: relay.report }),
    });
  } catch (error) {
    connection.endRun(run);
    connection.core.settings.report(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, textOf(error));
  } finally {
    await relay?.finish();
  }
}

/** What a client may know about the end of a run. */
function textOf(error: unknown): string {
  if (!GateError.is(error)) return 'The call failed.';
  return error.code === 'gate/permanent' ? 'The tool failed and ended the run.' : 'The call was not run.';
}
