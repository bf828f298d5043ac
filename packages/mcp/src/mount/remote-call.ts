import { type Tool as ListedDefinition, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import {
  type CallContext,
  type Clock,
  ContractError,
  type Digest,
  Failure,
  type Invocation,
  ignoreThrown,
  type JsonObject,
  type ToolOutput,
} from '@toolgate/core';
import { watchAnswer } from '../client/guard-transport.ts';
import { visitPages } from '../client/page-visit.ts';
import { usesHeaders } from '../intake/list-tools.ts';
import type { LiveSession } from '../lifecycle/live-session.ts';
import { lostSession, suspectsRevision } from '../lifecycle/lost-session.ts';
import { reachOf } from '../lifecycle/reach.ts';
import type { ServerLink } from '../lifecycle/server-link.ts';
import type { LockedDefinition } from '../lock/lock-file.ts';
import { McpError } from '../mcp-error.ts';
import { failureOutput } from '../results/failure-output.ts';
import { type RemoteResult, readResult } from '../results/read-result.ts';
import { toOutput } from '../results/to-output.ts';
import { callFault } from './call-fault.ts';
import { type CallLimits, CallWatch } from './call-watch.ts';
import { unanswered } from './unanswered.ts';

/** What calls of one remote tool need. */
export interface RemoteTool {
  readonly server: string;
  /** As the server sent it. */
  readonly definition: LockedDefinition;
  readonly digest: Digest;
  /** Whether it has an output schema. */
  readonly declaresOutput: boolean;
  readonly limits: CallLimits;
  readonly link: ServerLink;
  readonly clock: Clock;
  /** Told of the arguments of each call that is sent. */
  readonly noteArguments: (args: JsonObject) => void;
  /** Looks at a result before it is given on. @throws what the call then comes to. */
  readonly check: (output: ToolOutput) => void;
}

/** Where the key goes by which a server can tell a repetition. */
const IDEMPOTENCY_KEY = 'toolgate/idempotency-key';
/** Longer than any timer: time is kept by the watch. */
const NO_TIMEOUT = 2_147_483_647;
const MAX_MESSAGE = 1_024;

/**
 * Sends one admitted call to its server and says what came of it. Sent at most once, unless the server is known not to
 * have taken it: then once more, over a new connection, or when a person has been where the server wants them to be first.
 */
export async function callRemote(
  tool: RemoteTool,
  invocation: Invocation,
  call: CallContext<unknown>,
): Promise<ToolOutput> {
  const watch = new CallWatch(call, tool.limits, tool.clock);
  const tried = { anew: false, visited: false };
  try {
    for (;;) {
      const session = await ready(tool, watch);
      checkSame(tool, session);
      const release = tool.link.hold(session);
      const leave = session.questions?.watch(watch);
      try {
        const result = await send(tool, session, invocation, call, watch);
        tool.link.succeed();
        return looked(() => take(tool, result));
      } catch (error) {
        const isAnew = isRetry(error, session, tool.link, watch) && !tried.anew;
        tried.anew ||= isAnew;
        if (!isAnew && !(await isVisited(error, session, watch, tried))) {
          throw unanswered(tool, error, { why: watch.why, reach: reachOf(session.client) }, call);
        }
      } finally {
        leave?.();
        release();
      }
    }
  } finally {
    watch.stop();
  }
}

async function ready(tool: RemoteTool, watch: CallWatch): Promise<LiveSession> {
  try {
    return await tool.link.acquire(watch.signal);
  } catch (cause) {
    if (watch.why === 'cancelled') {
      throw new Failure({ kind: 'rejected', output: 'The call was not started.', cause });
    }
    throw new Failure({ kind: 'failed', output: 'The server of this tool is not available now.', cause });
  }
}

/** What was offered is what is called, or nothing is. */
function checkSame({ server, definition, digest }: RemoteTool, { catalog }: LiveSession): void {
  const now = catalog.byName.get(definition.name);
  const usable = now?.kind === 'tool' && now.fault === undefined;
  if (usable && now.locked.digest === digest) return;
  const gone = now === undefined || (now.kind === 'tool' && !usable);
  throw new Failure({
    kind: 'rejected',
    output: gone
      ? 'This tool is no longer available.'
      : 'This tool was changed by its server since it was offered. The call was not started.',
    cause: new McpError(
      'mcp/tool-changed',
      `A tool of the server ${server} ${gone ? 'is gone' : 'changed'} since it was offered.`,
    ),
  });
}

async function send(
  { definition, declaresOutput, noteArguments }: RemoteTool,
  { client }: LiveSession,
  invocation: Invocation,
  call: CallContext<unknown>,
  watch: CallWatch,
): Promise<RemoteResult> {
  const { name, inputSchema } = definition;
  const args = invocation.arguments();
  noteArguments(args);
  let received: Readonly<Record<string, unknown>> | undefined;
  const answer = await client.callTool(
    {
      name,
      arguments: args,
      ...(call.idempotencyKey === undefined ? {} : { _meta: { [IDEMPOTENCY_KEY]: call.idempotencyKey } }),
    },
    {
      signal: watch.signal,
      timeout: NO_TIMEOUT,
      onresumptiontoken: watchAnswer({
        onLost: () => watch.lose(),
        onResult: (result) => {
          received = result;
        },
      }),
      onprogress: ({ progress, total, message }) => {
        watch.alive();
        call.progress?.({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE).toWellFormed() }),
        });
      },
      // The definition that was frozen, not the one that the SDK saw last; results are checked by our contract.
      toolDefinition: { name, inputSchema } as ListedDefinition,
    },
  );
  return looked(() => readResult(received ?? answer, declaresOutput));
}

/** What fails here once there is an answer is no broken connection: the server did what it did. */
function looked<Value>(look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    if (Failure.is(error) || ContractError.is(error) || McpError.is(error)) throw error;
    throw new McpError('mcp/result-invalid', 'A result could not be looked at.', { cause: error });
  }
}

function take(tool: RemoteTool, result: RemoteResult): ToolOutput {
  if (result.isError) {
    throw new Failure({
      kind: 'failed',
      output: failureOutput(result),
      cause: new McpError('mcp/protocol', `A tool of the server ${tool.server} reported an error.`),
    });
  }
  const output = toOutput(result);
  tool.check(output);
  return output;
}

/** Whether a person went where the server wants them to be before it takes the call. Asked once. */
async function isVisited(
  error: unknown,
  { openPage }: LiveSession,
  watch: CallWatch,
  tried: { visited: boolean },
): Promise<boolean> {
  if (openPage === undefined || tried.visited || watch.why !== undefined) return false;
  if (!(error instanceof UrlElicitationRequiredError)) return false;
  tried.visited = true;
  try {
    return (await visitPages(error, openPage, watch.signal)) && watch.why === undefined;
  } catch (thrown) {
    ignoreThrown(thrown);
    // What the application throws there is a person who was not sent.
    return false;
  }
}

function isRetry(error: unknown, session: LiveSession, link: ServerLink, watch: CallWatch): boolean {
  if (watch.why !== undefined) return false;
  const reach = reachOf(session.client);
  // Not to be repeated, but the next call is not to fail of it, too.
  const isOther = suspectsRevision(error) && usesHeaders(session.client);
  if (isOther || lostSession(error, reach) === 'suspected') link.expire(session);
  const fault = callFault(error, reach);
  if (fault === 'session-lost') {
    link.expire(session);
    return true;
  }
  return fault === 'not-sent' && session.over;
}
