import {
  type CheckedControlProvider,
  ControlError,
  ControlledFlow,
  type FlowNext,
  type Projected,
  project,
} from '@toolgate/control';
import type { ModelCall, ModelEvent } from '@toolgate/model';
import { refuse } from '../../http/refusal.ts';
import type { AttemptWatch } from '../../observe/request-watch.ts';
import type { Exchange } from '../../upstream/exchange.ts';
import type { UpstreamFailure } from '../../upstream/upstream-failure.ts';
import type { AnswerStep } from '../answer/answer-step.ts';
import { type AttemptHandler, type AttemptOptions, startAttempt } from '../answer/attempt.ts';
import { prepareRequest, type RequestPlan } from '../request/prepare-request.ts';
import type { PreparedRequest } from '../request/prepared-request.ts';
import { createBytePassage } from './byte-passage.ts';
import { CAPABILITIES } from './control-of.ts';

/** A call of a candidate with a control tool. */
export interface ControlledStart {
  readonly plan: RequestPlan;
  readonly provider: CheckedControlProvider;
  /** An active projection of the plan's call. */
  readonly projected: Projected;
  readonly requestId: string;
  /** Whether another candidate could answer instead, as long as the first attempt has said nothing. */
  readonly keepsOpening: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Learns of each request that goes out. */
  readonly onRequest: (request: PreparedRequest) => void;
  /** Begins to watch over one of the attempts. */
  readonly watch: () => AttemptWatch;
  readonly onDefect: (error: unknown) => void;
}

/** Carries a failure through code that knows errors only; it never leaves this file. */
class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly failure: UpstreamFailure;

  constructor(failure: UpstreamFailure) {
    super('The attempt failed.');
    this.failure = failure;
  }
}

const NOTHING: AnswerStep = Object.freeze({ events: Object.freeze([]) });

const NO_EXCHANGE: Exchange = Object.freeze({
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
  isOver: () => true,
});

const BROKEN: ModelEvent = Object.freeze({
  kind: 'response-error',
  code: 'model/stream-incomplete',
  message: 'The answer could not be completed.',
});

/**
 * Asks a candidate with the control tool in the call: its call is captured, handled and published, over as many attempts
 * as that takes, and the client sees one answer without any of it. As long as nothing of it came, the provider's own
 * bytes go on.
 */
export function startControlled(start: ControlledStart, handler: AttemptHandler): Exchange {
  const passage = createBytePassage({
    protocol: start.plan.candidate.provider.protocol,
    stream: start.plan.call.stream === true,
    toolName: start.provider.spec.tool.name,
  });
  let shown: ModelEvent[] = [];
  let exchange: Exchange | undefined;
  let opened = 0;
  let paused = false;
  let begun = false;
  /** Nothing more comes of the present attempt. */
  let ended = false;
  /** The answer has its end, or there is none. */
  let over = false;

  let flow: ControlledFlow;
  try {
    flow = createFlow(start, (event) => shown.push(event));
  } catch (error) {
    handler.failed(toFailure(error, start.onDefect));
    return NO_EXCHANGE;
  }

  /** Hands on what was shown, with the bytes of the step where they say the same. */
  const send = (step: AnswerStep): void => {
    const events = shown;
    if (events.length > 0) shown = [];
    const next = passage.pass(step, events);
    if (next === undefined) return;
    begun = true;
    handler.step(next);
  };
  const fail = (error: unknown): void => {
    if (over) return;
    over = true;
    const failure = toFailure(error, start.onDefect);
    if (begun) handler.step({ events: [BROKEN] });
    else handler.failed(failure);
  };
  const take = (step: AnswerStep): void => {
    if (over || ended) return;
    try {
      for (const event of step.events) {
        flow.push(event);
        ended ||= event.kind === 'response-end' || event.kind === 'response-error';
      }
    } catch (error) {
      exchange?.abort();
      breakOff(error, step);
      return;
    }
    if (ended) conclude(() => flow.end(), step);
    else send(step);
  };
  const breakOff = (error: unknown, step: AnswerStep): void => {
    ended = true;
    conclude(() => flow.fail(error), step);
  };
  /** Ends the answer with the step that ended the attempt, asks once more, or waits for a handler first. */
  const conclude = (end: () => FlowNext | Promise<FlowNext>, step: AnswerStep): void => {
    let next: FlowNext | Promise<FlowNext>;
    try {
      next = end();
    } catch (error) {
      fail(error);
      return;
    }
    over = next === 'end';
    send(step);
    if (next === 'open') open();
    else if (next !== 'end') next.then(goOn).catch(fail);
  };
  const goOn = (next: FlowNext): void => {
    if (over) return;
    over = next === 'end';
    send(NOTHING);
    if (next === 'open') open();
    handler.settled();
  };

  function open(): void {
    ended = false;
    opened += 1;
    const attempt = opened;
    let options: AttemptOptions;
    try {
      options = nextAttempt(flow, start, start.keepsOpening && attempt === 1);
    } catch (error) {
      breakOff(error, NOTHING);
      return;
    }
    // What still comes of the connection of the attempt before, even that it broke, is no part of this one.
    const isPresent = (): boolean => attempt === opened;
    const started = startAttempt(options, {
      step: (step) => isPresent() && take(step),
      opened: () => isPresent() && handler.opened(),
      failed: (failure) => isPresent() && breakOff(new AttemptFailed(failure), NOTHING),
      isFull: () => isPresent() && handler.isFull(),
      settled: () => isPresent() && handler.settled(),
    });
    // A failure at once has opened another one already.
    if (isPresent()) exchange = started;
    if (paused) started.pause();
  }
  open();

  return {
    pause() {
      paused = true;
      exchange?.pause();
    },
    resume() {
      paused = false;
      exchange?.resume();
    },
    abort() {
      over = true;
      flow.stop();
      exchange?.abort();
    },
    isOver: () => over && exchange?.isOver() !== false,
  };
}

function createFlow(
  { plan, projected, provider, requestId }: ControlledStart,
  emit: (event: ModelEvent) => void,
): ControlledFlow {
  const { added, candidate } = plan;
  const longer = added.length > 0;
  const call = longer ? { ...plan.call, items: [...plan.call.items, ...added] } : plan.call;
  const meta = { traceId: requestId, aLegId: requestId, candidateKey: candidate.name };
  return new ControlledFlow(
    { call, provider, capabilities: CAPABILITIES, meta },
    longer ? project(call, provider.spec, CAPABILITIES) : projected,
    emit,
  );
}

/** The next attempt of a flow. @throws AttemptFailed where its request cannot be made; what the flow throws. */
function nextAttempt(
  flow: ControlledFlow,
  { now, onRequest, plan, watch }: ControlledStart,
  keepsOpening: boolean,
): AttemptOptions {
  const { attempt, call } = flow.open();
  const request = requestOf(call, attempt.repair ? undefined : attempt.edits, plan);
  onRequest(request);
  const stream = call.stream === true;
  return { candidate: plan.candidate, request, stream, keepsOpening, now, watch: watch() };
}

function requestOf(
  call: ModelCall,
  edits: RequestPlan['edits'] | undefined,
  plan: RequestPlan,
): PreparedRequest {
  const anew = edits === undefined || plan.added.length > 0;
  // Member by member: a spread that goes on takes an engine several times as long.
  const prepared = prepareRequest({
    client: plan.client,
    clientHeaders: plan.clientHeaders,
    candidate: plan.candidate,
    offered: plan.offered,
    choosable: plan.choosable,
    call,
    edits: edits ?? [],
    added: [],
    strict: plan.strict,
    continuations: plan.continuations,
    place: plan.place,
    anew,
  });
  if (prepared.kind === 'prepared') return prepared.request;
  throw new AttemptFailed({ kind: 'status', refusal: prepared.refusal, retryable: true });
}

function toFailure(error: unknown, onDefect: (error: unknown) => void): UpstreamFailure {
  if (error instanceof AttemptFailed) return error.failure;
  // A projection that could not be proved fails this candidate alone.
  if (!ControlError.is(error)) onDefect(error);
  return { kind: 'invalid', refusal: refuse('internal_error'), retryable: true };
}
