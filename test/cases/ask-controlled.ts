import {
  type AttemptRecord,
  type ControlledRunConfig,
  completionTool,
  createProviderSlot,
  runControlled,
} from '@toolgate/control';
import {
  codecOf,
  collectResponse,
  type ModelCall,
  type ModelEvent,
  type ModelResponse,
  PROTOCOLS,
  type Protocol,
} from '@toolgate/model';
import { type StreamedAnswer, type StreamedCall, streamOf } from './wire-streams.ts';

/** The tool that belongs to the proxy. */
export const CONTROL = 'attempt_completion';

/** Every wire of a client with every wire of a backend. */
export const PAIRS: readonly (readonly [client: Protocol, backend: Protocol])[] = PROTOCOLS.flatMap(
  (client) => PROTOCOLS.map((backend) => [client, backend] as const),
);

/** What a client asks for: one tool of its own. */
export const ASKED: ModelCall = {
  model: 'm',
  items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Do it.' }] }],
  tools: [{ kind: 'function', name: 'lookup', parameters: { type: 'object' } }],
  limits: { maxOutputTokens: 100 },
};

/** A completion as a backend streams it. */
export function completing(result: string, id = 'call_c'): StreamedCall {
  return { id, name: CONTROL, pieces: ['{"result":', `${JSON.stringify(result)}}`] };
}

/** A call of the client's own tool. */
export function looking(id: string): StreamedCall {
  return { id, name: 'lookup', pieces: ['{"a":', '1}'] };
}

/** What both sides of a proxied request saw. */
export interface Seen {
  /** The bodies that the backend got. */
  readonly requests: readonly string[];
  readonly calls: readonly ModelCall[];
  /** The stream that the client got, in its own wire. */
  readonly stream: string;
  /** The same as a whole answer. */
  readonly whole: string;
  readonly response: ModelResponse;
  readonly events: readonly ModelEvent[];
  readonly records: readonly AttemptRecord[];
}

/**
 * Sends a request of one wire through the control tool to a scripted backend of another.
 *
 * @param events - Filled as they come, for who wants to look while it runs.
 */
export async function askControlled(
  [client, backend]: readonly [Protocol, Protocol],
  answers: readonly StreamedAnswer[],
  change: Partial<ControlledRunConfig> = {},
  events: ModelEvent[] = [],
): Promise<Seen> {
  const bytes = new TextEncoder();
  const calls: ModelCall[] = [];
  const records: AttemptRecord[] = [];
  const asked = change.call ?? ASKED;
  const { body } = codecOf(client).encodeRequest(asked).value;
  const call = codecOf(client).decodeRequest(JSON.parse(JSON.stringify(body)), { model: 'm' }).value;
  const run = runControlled({
    provider: createProviderSlot([completionTool()]).current,
    capabilities: new Set(['tools']),
    signal: new AbortController().signal,
    async *open(given) {
      calls.push(given);
      const answer = answers[calls.length - 1];
      if (answer === undefined) throw new Error('a request too many');
      const decoder = codecOf(backend).decodeStream();
      yield* decoder.push(bytes.encode(streamOf(backend, answer)));
      yield* decoder.end();
    },
    observe: (record) => records.push(record),
    ...change,
    call,
  });
  for await (const event of run) events.push(event);
  const encoder = codecOf(client).encodeStream({ id: 'r', model: 'm', createdAt: 1, includeUsage: true });
  const response = collectResponse(events);
  return {
    requests: calls.map((each) => JSON.stringify(codecOf(backend).encodeRequest(each).value.body)),
    calls,
    stream: events.map((event) => encoder.push(event)).join(''),
    whole: JSON.stringify(codecOf(client).encodeResponse(response).value),
    response,
    events,
    records,
  };
}
