import {
  type CheckedControlProvider,
  ControlError,
  type OpenedAttempt,
  runControlled,
} from '@toolgate/control';
import type { ModelCall } from '@toolgate/model';
import { refuse } from '../../http/refusal.ts';
import type { AttemptWatch } from '../../observe/request-watch.ts';
import type { Exchange } from '../../upstream/exchange.ts';
import type { UpstreamFailure } from '../../upstream/upstream-failure.ts';
import { type AttemptHandler, startAttempt } from '../answer/attempt.ts';
import { prepareRequest, type RequestPlan } from '../request/prepare-request.ts';
import type { PreparedRequest } from '../request/prepared-request.ts';
import { AttemptFailed, attemptEvents } from './attempt-events.ts';

/** A call of a candidate with a control tool. */
export interface ControlledStart {
  readonly plan: RequestPlan;
  readonly provider: CheckedControlProvider;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Learns of each request that goes out. */
  readonly onRequest: (request: PreparedRequest) => void;
  /** Begins to watch over one of the attempts. */
  readonly watch: () => AttemptWatch;
  readonly onDefect: (error: unknown) => void;
}

/** What backends of a gateway can do, as far as control tools ask. */
export const CAPABILITIES: ReadonlySet<string> = new Set(['streaming', 'tools']);

/**
 * Asks a candidate with the control tool in the call: its call is captured, handled and published, over as many attempts
 * as that takes, and the client sees one answer without any of it.
 */
export function startControlled(start: ControlledStart, handler: AttemptHandler): Exchange {
  const { plan, provider } = start;
  const stopped = new AbortController();
  let over = false;
  let paused: Promise<void> | undefined;
  let go: () => void = () => undefined;

  const read = async (): Promise<void> => {
    const events = runControlled({
      call:
        plan.added.length === 0 ? plan.call : { ...plan.call, items: [...plan.call.items, ...plan.added] },
      provider,
      capabilities: CAPABILITIES,
      open: (call, attempt) => attemptEvents((own) => openAttempt(call, attempt, start, own)),
      meta: { traceId: start.requestId, aLegId: start.requestId, candidateKey: plan.candidate.name },
      signal: stopped.signal,
    });
    for await (const event of events) {
      if (over) return;
      handler.step({ events: [event] });
      handler.settled();
      await paused;
    }
  };
  const fail = (error: unknown): void => {
    if (over) return;
    over = true;
    handler.failed(toFailure(error, start.onDefect));
  };
  read().then(() => {
    over = true;
  }, fail);

  return Object.freeze({
    pause() {
      paused ??= new Promise<void>((resolve) => {
        go = resolve;
      });
    },
    resume() {
      paused = undefined;
      go();
    },
    abort() {
      over = true;
      stopped.abort();
      go();
    },
    get over() {
      return over;
    },
  });
}

function openAttempt(
  call: ModelCall,
  { edits, repair }: OpenedAttempt,
  { now, onRequest, plan, watch }: ControlledStart,
  handler: AttemptHandler,
): Exchange {
  const anew = repair || edits === undefined || plan.added.length > 0;
  const prepared = prepareRequest({ ...plan, call, added: [], edits: edits ?? [], anew });
  if (prepared.kind === 'refused')
    throw new AttemptFailed({ kind: 'status', refusal: prepared.refusal, retryable: true });
  onRequest(prepared.request);
  const { request } = prepared;
  const stream = call.stream === true;
  return startAttempt({ candidate: plan.candidate, request, stream, now, watch: watch() }, handler);
}

function toFailure(error: unknown, onDefect: (error: unknown) => void): UpstreamFailure {
  if (error instanceof AttemptFailed) return error.failure;
  // A projection that could not be proved fails this candidate alone.
  if (!ControlError.is(error)) onDefect(error);
  return { kind: 'invalid', refusal: refuse('internal_error'), retryable: true };
}
