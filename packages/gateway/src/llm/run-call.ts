import type { IncomingHttpHeaders } from 'node:http';
import { createResponseCollector, type Item, type ModelCall, type ResponseCollector } from '@toolgate/model';
import { type Refusal, type RefusalCode, refuse } from '../http/refusal.ts';
import type { AttemptWatch } from '../observe/request-watch.ts';
import type { Exchange } from '../upstream/exchange.ts';
import type { UpstreamFailure } from '../upstream/upstream-failure.ts';
import type { AnswerStep } from './answer/answer-step.ts';
import type { AnswerWriter } from './answer/answer-writer.ts';
import { type AttemptHandler, startAttempt } from './answer/attempt.ts';
import { breakOffEvent } from './answer/break-off-event.ts';
import { createLegJoin } from './answer/join-legs.ts';
import { withNamespaces } from './answer/namespaced-writer.ts';
import type { CallRecord } from './call-record.ts';
import type { ClientAnswer } from './client-answer.ts';
import { controlCall } from './control/control-of.ts';
import { startControlled } from './control/start-controlled.ts';
import { feedbackItems } from './firewall/feedback-items.ts';
import type { CallJudge } from './firewall/judge-call.ts';
import { createTurnFirewall, type TurnEnd, type TurnFirewall } from './firewall/turn-firewall.ts';
import type { NoteUnread } from './firewall/unread-account.ts';
import type { ChoosableTools } from './request/choosable-tools.ts';
import type { OfferedTools } from './request/offered-tools.ts';
import { prepareRequest } from './request/prepare-request.ts';
import type { PreparedRequest } from './request/prepared-request.ts';
import { isPassage } from './routes/is-passage.ts';
import { type Candidate, orderCandidates, type Route } from './routes/route-table.ts';
import type { LlmServices } from './services.ts';
import type { ClientCall } from './surfaces/read-call.ts';

/** One model call of a client, ready to be sent on. */
export interface CallRun {
  readonly client: ClientCall;
  readonly headers: IncomingHttpHeaders;
  readonly route: Route;
  readonly offered: OfferedTools;
  /** What the client's choice lets the model call. */
  readonly choosable: ChoosableTools;
  /** The call with the offered tools. */
  readonly call: ModelCall;
  readonly answer: ClientAnswer;
  readonly record: CallRecord;
  readonly requestId: string;
  /** Whose thoughts are kept and given back. */
  readonly principal: string;
  /** Makes the judge of one turn. */
  readonly createJudge: () => CallJudge;
  /** Makes the account of what cannot be judged in one turn. */
  readonly createUnread: () => NoteUnread;
  readonly services: LlmServices;
}

/** A call on its way. */
export interface RunningCall {
  /** The client is gone: ends everything that is done for it. */
  abandon(): void;
  /** Ends the answer as a failed one, as its protocol says it. */
  fail(refusal: Refusal): void;
}

/** After the end of an answer, how long its connection may take to become free again. */
const LAST_BYTES_MS = 1_000;

/**
 * Sends a call to the candidates of its route, one after the other until one begins to answer, and brings the answer
 * through the firewall to the client.
 */
export function runCall(run: CallRun): RunningCall {
  const { answer, client, offered, record, route, services } = run;
  const { policy } = route;
  const { clock, continuations } = services;
  const candidates = orderCandidates(route.candidates, clock);
  const control = controlCall(run.call, route.control);
  const join = createLegJoin();
  let next = 0;
  let leg = 0;
  let rounds = 0;
  let refusal: Refusal | undefined;
  let exchange: Exchange | undefined;
  let firewall: TurnFirewall | undefined;
  let writer: AnswerWriter | undefined;
  let over = false;

  const finish = (): void => {
    over = true;
    const last = exchange;
    // A provider that keeps its connection open behind the end is not waited for.
    if (last !== undefined && !last.isOver()) clock.setTimer(() => last.abort(), LAST_BYTES_MS);
  };
  const refuseCall = (given: Refusal): void => {
    record.error ??= given.code;
    // The connection was kept alive: what it carries is a stream by now.
    if (answer.isCommitted()) {
      breakOff(given.message, given.code);
      return;
    }
    finish();
    answer.refuse(given);
  };
  const emit = (step: AnswerStep): void => {
    if (over || writer === undefined) return;
    const events = join.map(step.events);
    record.see(events);
    record.firstByte();
    writer.emit(events === step.events ? step : { events });
  };
  const end = (): void => {
    if (writer !== undefined) record.addLosses(writer.losses());
    record.usage = join.usage();
    finish();
    writer?.end();
  };
  const breakOff = (message: string, code?: RefusalCode): void => {
    if (over) return;
    // As long as only signs of life went out, nobody's answer was opened.
    writer ??= answer.open(false, []);
    emit({ events: [breakOffEvent(message, code)] });
    end();
  };

  const tryNext = (): void => {
    while (next < candidates.length && !over) {
      const candidate = candidates[next];
      next += 1;
      if (candidate !== undefined && startLeg(candidate, [])) return;
    }
    if (!over) refuseCall(refusal ?? refuse('internal_error'));
  };

  const failed = (failure: UpstreamFailure, candidate: Candidate, again: () => boolean): void => {
    if (over) return;
    if (failure.retryAfterMs !== undefined) candidate.coolUntil = clock.now() + failure.retryAfterMs;
    if (rounds > 0) {
      breakOff(failure.refusal.message);
      return;
    }
    refusal = failure.refusal;
    // A connection that the provider had closed while it was idle says nothing about the provider.
    if (failure.kind === 'reset' && again()) return;
    record.addFailure({ candidate: candidate.name, error: failure.refusal.code });
    if (failure.retryable) tryNext();
    else refuseCall(failure.refusal);
  };

  const turnEnded = (
    turnEnd: TurnEnd,
    candidate: Candidate,
    added: readonly Item[],
    turn: ResponseCollector | undefined,
  ): void => {
    if (over) return;
    if (turnEnd.kind === 'ended' || turn === undefined) {
      end();
      return;
    }
    rounds += 1;
    join.next();
    writer?.encodeFromHere();
    const items = [...added, ...feedbackItems(turn.response().items, turnEnd.refused)];
    if (!startLeg(candidate, items)) breakOff('The answer could not be continued.');
  };

  function startLeg(candidate: Candidate, added: readonly Item[], isRetry = false): boolean {
    const plan = {
      client,
      clientHeaders: run.headers,
      candidate,
      offered,
      choosable: run.choosable,
      call: run.call,
      edits: [],
      added,
      strict: route.config.strict,
      continuations,
      place: {
        principal: run.principal,
        candidate: `${candidate.name} ${candidate.model ?? client.call.model}`,
        protocol: candidate.provider.protocol,
      },
    };
    const prepared = control === undefined ? prepareRequest(plan) : undefined;
    if (prepared?.kind === 'refused') {
      refusal ??= prepared.refusal;
      return false;
    }
    const feedback = policy.onRefusal === 'feedback' && rounds < policy.maxRounds;
    const translates = candidate.provider.protocol !== client.protocol;
    const turn = feedback || translates ? createResponseCollector() : undefined;
    const remember = (): void => {
      if (translates && turn !== undefined)
        continuations.remember(plan.place, turn.response().items, run.call.items);
    };
    let noteUnread: NoteUnread | undefined;
    const own = createTurnFirewall({
      judge: run.createJudge(),
      emit,
      feedback,
      passage: isPassage(route.config),
      onUnread(calls, passed) {
        noteUnread ??= run.createUnread();
        const losses = noteUnread(calls, passed);
        record.addLosses(losses);
        answer.addLosses(losses);
      },
      onWait: () => answer.commit(),
      onEnd: (turnEnd) => {
        remember();
        turnEnded(turnEnd, candidate, added, turn);
      },
    });
    firewall = own;
    leg += 1;
    const id = leg;
    let request: PreparedRequest | undefined;
    const sent = (given: PreparedRequest): void => {
      request = given;
      record.attempts += 1;
    };
    const watch = (): AttemptWatch => {
      const { name, protocol, host } = candidate.provider;
      const model = candidate.model ?? run.call.model;
      return services.watch.attempt(run.requestId, { provider: name, protocol, host, model });
    };
    const begin = (): void => {
      record.candidate = candidate.name;
      const losses = request?.losses ?? [];
      record.addLosses(losses);
      const opened = answer.open(request?.sameProtocol === true, losses);
      const namespaces = request?.namespaces;
      writer = namespaces === undefined ? opened : withNamespaces(opened, namespaces);
    };
    // A turn that continues an answer is its candidate's.
    const keepsOpening = rounds === 0 && next < candidates.length;
    const handler: AttemptHandler = {
      opened: () => answer.client?.keepAlive(),
      step(step) {
        if (over) return;
        // Bytes without meaning prove no answer; there may still be another candidate.
        if (writer === undefined && step.events.length > 0) begin();
        if (turn !== undefined) for (const event of step.events) turn.push(event);
        own.push(step);
      },
      failed: (failure) => failed(failure, candidate, () => !isRetry && startLeg(candidate, added, true)),
      settled() {
        if (answer.client?.full === true) exchange?.pause();
      },
    };
    let started: Exchange;
    if (control !== undefined) {
      started = startControlled(
        {
          provider: control.provider,
          projected: control.projected,
          plan,
          requestId: run.requestId,
          keepsOpening,
          now: clock.now,
          onRequest: sent,
          watch,
          onDefect: services.onDefect,
        },
        handler,
      );
    } else if (prepared === undefined) {
      return false;
    } else {
      sent(prepared.request);
      const stream = client.call.stream === true;
      started = startAttempt(
        { candidate, request: prepared.request, stream, keepsOpening, now: clock.now, watch: watch() },
        handler,
      );
    }
    // A failure at once has begun another leg already.
    if (id === leg) exchange = started;
    return true;
  }

  answer.client?.onDrain(() => exchange?.resume());
  tryNext();

  return {
    abandon() {
      if (over && exchange?.isOver() !== false) return;
      over = true;
      record.usage = writer === undefined ? undefined : join.usage();
      firewall?.stop();
      exchange?.abort();
    },
    fail(given: Refusal) {
      if (over) return;
      firewall?.stop();
      exchange?.abort();
      if (answer.isCommitted()) breakOff(given.message);
      else refuseCall(given);
    },
  };
}
