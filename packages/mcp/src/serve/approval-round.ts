import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type Server,
} from '@modelcontextprotocol/server';
import { type ApprovalRequest, type ExecuteOptions, ignoreThrown } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { type DeskEntry, toExecuteOptions } from './approval-desk.ts';
import { approvalForm } from './approval-form.ts';
import { textResult } from './call-result.ts';
import type { Connection } from './connection.ts';
import { type ElicitationModes, elicitationModes } from './elicitation-modes.ts';
import type { IncomingCall } from './incoming-call.ts';

/** What is to be done with a call: execute it, perhaps with a decision, or answer it as it is. */
export type Resumed =
  | { readonly kind: 'execute'; readonly callId?: string; readonly options: ExecuteOptions }
  | { readonly kind: 'answer'; readonly result: CallToolResult | InputRequiredResult };

/** How a call that needs a decision goes on with the next request of its client. */
export interface ApprovalRound<Context> {
  /** For the server's `requestState` hook: refuses what this process did not give to this principal. */
  readonly verify: RequestStateCodec['verify'];
  /** Finds out whether the call was suspended before, and what was decided since. */
  readonly resume: (call: IncomingCall<Context>) => Promise<Resumed>;
  /** Keeps a suspended call, and says so or asks for the decision. */
  readonly suspend: (
    call: IncomingCall<Context>,
    request: ApprovalRequest,
  ) => Promise<CallToolResult | InputRequiredResult>;
}

const KEY = 'approval';
const NO_ROOM = 'The call was not started: too many calls wait for a decision.';
const STATE_SECONDS = 86_400;

/** The rounds of one client. The desk says what was decided; a client says it only where it may (`form`). */
export function approvalRound<Context>(
  { core, identity }: Connection<Context>,
  clientOf: () => Server | undefined,
): ApprovalRound<Context> {
  const { desk, approvalPrompt } = core.settings;
  const { principal } = identity;
  const codec = createRequestStateCodec<string>({
    key: core.stateKey,
    ttlSeconds: STATE_SECONDS,
    bind: () => principal,
  });

  const findEntry = async ({
    run,
    name,
    text,
    context,
  }: IncomingCall<Context>): Promise<DeskEntry | undefined> => {
    const contract = run.tools.get(name)?.contract;
    if (run.offered(name) === undefined || contract === undefined) return undefined;
    const prepared = contract.prepare({ id: 'same', name, arguments: text });
    if (!prepared.ok) return undefined;
    const argumentsDigest = prepared.invocation.digest;
    const contractDigest = contract.digest;
    const entries = await desk.find({ principal, tool: name, call: { contractDigest, argumentsDigest } });
    const same = entries.filter(
      ({ request }) =>
        request.argumentsDigest === argumentsDigest && request.contractDigest === contractDigest,
    );
    // Calls that came at the same time wait side by side: what was decided counts, then what this client answers.
    const asked = context.mcpReq.requestState<string>();
    return same.find(({ decision }) => decision !== undefined) ?? same.find(isAbout(asked)) ?? same[0];
  };

  /** What the person at the client said about this very approval; only where such a person may decide. */
  const hear = async ({ context }: IncomingCall<Context>, { request }: DeskEntry): Promise<boolean> => {
    if (approvalPrompt?.kind !== 'form') return false;
    const { inputResponses } = context.mcpReq;
    if (context.mcpReq.requestState<string>() !== request.id) return false;
    const said = inputResponse(inputResponses, KEY);
    if (said.kind !== 'elicit' || said.action === 'cancel') return false;
    const allowed = acceptedContent<{ approve?: unknown }>(inputResponses, KEY)?.approve === true;
    return desk.decide(request.id, { kind: allowed ? 'allow' : 'decline' });
  };

  const ask = async (
    call: IncomingCall<Context>,
    request: ApprovalRequest,
  ): Promise<Resumed & { kind: 'answer' }> => {
    const { context } = call;
    const elicit =
      context.mcpReq.requestState<string>() === request.id
        ? undefined // Asked a moment ago, and not decided: whoever wants to know comes again.
        : prompt(request, elicitationModes(context, clientOf()));
    if (elicit === undefined) return { kind: 'answer', result: textResult(waitingText(request)) };
    const requestState = await codec.mint(request.id, context);
    return {
      kind: 'answer',
      result: inputRequired({ inputRequests: { [KEY]: elicit }, requestState }),
    };
  };

  const prompt = (request: ApprovalRequest, modes: ElicitationModes) => {
    if (approvalPrompt?.kind === 'form')
      return modes.form ? inputRequired.elicit(approvalForm(request)) : undefined;
    const url = modes.url ? pageOf(approvalPrompt?.url?.(request)) : undefined;
    return url === undefined
      ? undefined
      : inputRequired.elicitUrl({ message: `Decide about the call of ${request.tool}.`, url });
  };

  return {
    verify: (state, context) => codec.verify(state, context),
    resume: async (call) => {
      const entry = await findEntry(call);
      if (entry === undefined) return { kind: 'execute', options: {} };
      if (entry.decision === undefined && !(await hear(call, entry))) return ask(call, entry.request);
      // Whoever takes it first uses it; for the other one it is a call like any.
      const taken = await desk.take(entry.request.id);
      if (taken?.decision === undefined) return { kind: 'execute', options: {} };
      const { request, decision } = taken;
      return { kind: 'execute', callId: request.callId, options: toExecuteOptions(request, decision) };
    },
    suspend: async (call, request) =>
      (await desk.submit(request)) ? (await ask(call, request)).result : textResult(NO_ROOM),
  };
}

/** @throws {@link McpError} `mcp/serve-options-invalid` for a page that is no text, such as the promise of an async function. */
function pageOf(url: unknown): string | undefined {
  if (url === undefined || typeof url === 'string') return url;
  ignoreThrown(url);
  throw new McpError('mcp/serve-options-invalid', 'The page of an approval is a text.');
}

function isAbout(approvalId: string | undefined): (entry: DeskEntry) => boolean {
  return ({ request }) => request.id === approvalId;
}

/** Nothing has run, and the client learns how to go on. */
function waitingText({ id }: ApprovalRequest): string {
  return `The call awaits a decision (approval ${id}). Nothing has run. Repeat the same call after the decision.`;
}
