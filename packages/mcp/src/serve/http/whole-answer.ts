import { isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import { EventReader } from '../../client/event-reader.ts';
import { CODES, refusal } from './refusal.ts';

/**
 * The answer out of a stream of events as JSON, for a client that takes no stream. It does without notifications. A
 * question to the client ends the request, because nobody would answer it.
 *
 * @param signal - Of the request: a client that is gone waits for nothing.
 */
export async function wholeAnswer(response: Response, signal: AbortSignal): Promise<Response> {
  const { body, headers } = response;
  if (body === null || headers.get('content-type') !== 'text/event-stream') return response;
  const reader = body.getReader();
  const leave = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    const { asked, answer } = await readEvents(reader);
    if (asked) {
      return refusal(406, CODES.server, 'Not Acceptable: Client must accept text/event-stream to be asked');
    }
    // Who cancels a request gets no answer.
    return answer === undefined
      ? new Response(null, { status: 204, headers: sessionOf(headers) })
      : new Response(answer, { headers: { ...sessionOf(headers), 'content-type': 'application/json' } });
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}

/** Reads to the end, or to the first question to the client. */
async function readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<{ readonly asked: boolean; readonly answer?: string | undefined }> {
  const events = new EventReader();
  let answer: string | undefined;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const { data: text = '' } of events.push(next.value)) {
      // A stream begins with an event without data, from which it could be continued.
      const message: unknown = text === '' ? undefined : JSON.parse(text);
      if (isJSONRPCRequest(message)) return { asked: true };
      if (isJSONRPCResponse(message)) answer = text;
    }
  }
  return { asked: false, answer };
}

function sessionOf(headers: Headers): Record<string, string> {
  const id = headers.get('mcp-session-id');
  return id === null ? {} : { 'mcp-session-id': id };
}
