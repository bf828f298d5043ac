import {
  collectResponse,
  createEventOrder,
  type ModelCall,
  type ModelEvent,
  type ModelResponse,
} from '@toolgate/model';
import {
  type AttemptRecord,
  type CheckedControlProvider,
  type ControlledRunConfig,
  completionTool,
  type OpenedAttempt,
  runControlled,
  validateProvider,
} from '../src/index.ts';
import { callOf, TOOLS } from './calls.ts';

/** The reference provider, checked. */
export const COMPLETION: CheckedControlProvider = validateProvider(completionTool());

/** One attempt of a scripted backend: its events, or what it throws in the place of one. */
export type Leg = readonly (ModelEvent | Error)[];

/** The usage of one attempt. */
export const usage = (count: number): ModelEvent => ({
  kind: 'usage',
  usage: { inputTotal: count, cacheRead: null, cacheWrite: null, outputTotal: count, reasoning: null },
});

/** Text as a block. */
export const said = (index: number, text: string): Leg => [
  { kind: 'text-start', index },
  { kind: 'text-delta', index, text },
  { kind: 'text-end', index },
];

/** A call, whole. */
export const called = (index: number, name: string, args: string, callId = `call_${index}`): Leg => [
  { kind: 'call-start', index, callId, name },
  { kind: 'call-delta', index, delta: args },
  { kind: 'call-end', index, callId, name, arguments: args },
];

/** A completion with a result. */
export const completed = (index: number, result: string): Leg =>
  called(index, 'attempt_completion', JSON.stringify({ result }));

/** The end of an answer. */
export const ended = (finish: ModelResponse['finish'], finishDetail?: string): ModelEvent => ({
  kind: 'response-end',
  finish,
  ...(finishDetail === undefined ? {} : { finishDetail }),
});

/** An attempt with its start and its end. */
export const leg = (finish: ModelResponse['finish'], ...blocks: readonly Leg[]): Leg => [
  { kind: 'response-start', id: 'r', model: 'm' },
  ...blocks.flat(),
  ended(finish),
];

/** What a run did, seen from both sides. */
export interface Seen {
  /** What the client got. */
  readonly events: readonly ModelEvent[];
  /** What the client got, as one answer. */
  readonly response: ModelResponse;
  readonly text: string;
  /** What the backend got. */
  readonly opened: readonly { readonly call: ModelCall; readonly attempt: OpenedAttempt }[];
  readonly records: readonly AttemptRecord[];
  /** What came out instead of an end. */
  readonly thrown: unknown;
}

/** Runs a request against scripted attempts; the sequence that the client gets must be in order. */
export async function runLegs(
  legs: readonly Leg[],
  change: Partial<ControlledRunConfig> = {},
  run: typeof runControlled = runControlled,
): Promise<Seen> {
  const opened: { readonly call: ModelCall; readonly attempt: OpenedAttempt }[] = [];
  const records: AttemptRecord[] = [];
  const events: ModelEvent[] = [];
  let thrown: unknown;
  async function* open(call: ModelCall, attempt: OpenedAttempt): AsyncGenerator<ModelEvent> {
    opened.push({ call, attempt });
    const script = legs[opened.length - 1];
    if (script === undefined) throw new Error('an attempt too many');
    for (const event of script) {
      await Promise.resolve();
      if (event instanceof Error) throw event;
      yield event;
    }
  }
  try {
    const running = run({
      call: callOf(),
      provider: COMPLETION,
      capabilities: TOOLS,
      signal: new AbortController().signal,
      open,
      observe: (record) => records.push(record),
      ...change,
    });
    for await (const event of running) events.push(event);
  } catch (error) {
    thrown = error;
  }
  const order = createEventOrder();
  for (const event of events) order.push(event);
  const response = collectResponse(events);
  const text = events.flatMap((event) => (event.kind === 'text-delta' ? [event.text] : [])).join('');
  return { events, response, text, opened, records, thrown };
}
