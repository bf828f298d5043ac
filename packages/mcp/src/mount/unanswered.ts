import { ProtocolError, ProtocolErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { type CallContext, CallError, ContractError, emptyOutput, Failure } from '@toolgate/core';
import type { Reach } from '../lifecycle/reach.ts';
import { McpError } from '../mcp-error.ts';
import { callFault } from './call-fault.ts';
import type { CallLimits, CallWatch } from './call-watch.ts';

/** What is said of a tool whose call was not answered. */
interface CalledTool {
  readonly server: string;
  readonly limits: CallLimits;
}

/**
 * What a call comes to that was not answered with a result: a failure where the server is known to have done nothing, or
 * to have said no; otherwise it is unknown. Made to be thrown. Only fixed texts are for the model.
 */
export function unanswered(
  tool: CalledTool,
  error: unknown,
  { why, reach }: Pick<CallWatch, 'why'> & { readonly reach: Reach },
  call: Pick<CallContext, 'signal'>,
): unknown {
  // Thrown by us, on purpose.
  if (Failure.is(error) || ContractError.is(error)) return error;
  const { server } = tool;
  if (wantsPage(error)) {
    // Whatever came while a person was asked, the server did nothing.
    const output = why === 'cancelled' ? 'The call was not started.' : refusalOf(error);
    return failed(output, 'mcp/protocol', server, error, why === 'cancelled' ? 'rejected' : 'failed');
  }
  switch (why) {
    case 'cancelled':
      return call.signal.reason;
    case 'idle':
    case 'total':
      return timeout(tool, why);
    case 'lost':
      return interrupted(server, error);
    case undefined:
      break;
  }
  switch (callFault(error, reach)) {
    case 'not-sent':
      return failed('The server of this tool is not available now.', 'mcp/unavailable', server, error);
    case 'unauthorized':
      return failed('The server of this tool did not permit the call.', 'mcp/unauthorized', server, error);
    case 'session-lost':
      return failed(
        'The server of this tool lost its session. The call was not started.',
        'mcp/session-lost',
        server,
        error,
      );
    case 'refused':
    case 'protocol':
      return failed(refusalOf(error), 'mcp/protocol', server, error);
    case 'not-answered':
      return failed(
        'The server of this tool asked for something during the call that it did not get.',
        'mcp/not-answered',
        server,
        error,
      );
    case 'result-invalid':
      return new ContractError('tool/output-invalid', 'The server sent a result that cannot be used.', {
        cause: new McpError('mcp/result-invalid', `The server ${server} sent no valid result.`, {
          cause: error,
        }),
      });
    case 'lost':
      return interrupted(server, error);
  }
}

/**
 * The words of the server stay with us; that it may be about the arguments is what a model can do something about. The
 * protocol has one code for them and for a tool that is not known.
 */
function refusalOf(error: unknown): string {
  if (error instanceof SdkHttpError && error.status === 429)
    return 'The server of this tool takes no more calls now. The call was not started.';
  if (wantsPage(error))
    return 'The server of this tool wants a person to open a page first, such as for a login. The call was not started.';
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams
    ? 'The server of this tool refused the call: it does not take these arguments, or has the tool no more.'
    : 'The server of this tool refused the call.';
}

function wantsPage(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.UrlElicitationRequired;
}

function failed(
  output: string,
  code: 'mcp/unavailable' | 'mcp/unauthorized' | 'mcp/session-lost' | 'mcp/protocol' | 'mcp/not-answered',
  server: string,
  cause: unknown,
  kind: 'failed' | 'rejected' = 'failed',
): Failure {
  return new Failure({
    kind,
    output,
    cause: new McpError(code, `A call to the server ${server} was not carried out.`, { cause }),
  });
}

function interrupted(server: string, cause: unknown): CallError {
  return new CallError({
    cause: new McpError('mcp/interrupted', `The connection to the server ${server} broke during a call.`, {
      cause,
    }),
    evidence: emptyOutput(),
    interrupted: true,
  });
}

function timeout({ server, limits }: CalledTool, why: 'idle' | 'total'): CallError {
  const { timeoutMs, maxTimeoutMs } = limits;
  const what =
    why === 'idle'
      ? `no answer and no progress for ${timeoutMs} ms (limit altogether: ${maxTimeoutMs} ms)`
      : `no answer within ${maxTimeoutMs} ms altogether (limit without progress: ${timeoutMs} ms)`;
  return new CallError({
    cause: new McpError('mcp/timeout', `A call to the server ${server} had ${what}.`),
    evidence: `There was ${what}.`,
  });
}
