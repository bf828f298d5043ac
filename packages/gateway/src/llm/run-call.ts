import type { Item, ResponseCollector } from '@toolgate/model';
import { type Refusal, type RefusalCode, refuse } from '../http/refusal.ts';
import type { Exchange } from '../upstream/exchange.ts';
import type { UpstreamFailure } from '../upstream/upstream-failure.ts';
import type { AnswerStep } from './answer/answer-step.ts';
import type { AnswerWriter } from './answer/answer-writer.ts';
import { breakOffEvent } from './answer/break-off-event.ts';
import { createLegJoin, type LegJoin } from './answer/join-legs.ts';
import { withNamespaces } from './answer/namespaced-writer.ts';
import { CallLeg, type LegOwner } from './call-leg.ts';
import type { AskedCall, CallRun } from './call-run.ts';
import { type ControlledCall, controlCall } from './control/control-of.ts';
import { feedbackItems } from './firewall/feedback-items.ts';
import type { TurnEnd } from './firewall/turn-firewall.ts';
import { prepareRequest, type RequestPlan } from './request/prepare-request.ts';
import { type Candidate, orderCandidates } from './routes/route-table.ts';

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
export function runCall(run: CallRun, asked: AskedCall): RunningCall {
  const running = new Run(run, asked);
  running.start();
  return running;
}

class Run implements RunningCall, LegOwner {
  readonly #run: CallRun;
  readonly #candidates: readonly Candidate[];
  readonly #control: ControlledCall | undefined;
  readonly #join: LegJoin = createLegJoin();
  /** Let go as soon as nobody can be asked any more: a conversation is longer than everything else of a call. */
  #asked: AskedCall | undefined;
  #next = 0;
  #rounds = 0;
  #refusal: Refusal | undefined = undefined;
  #leg: CallLeg | undefined = undefined;
  #exchange: Exchange | undefined = undefined;
  #writer: AnswerWriter | undefined = undefined;
  over = false;

  constructor(run: CallRun, asked: AskedCall) {
    this.#run = run;
    this.#asked = asked;
    this.#candidates = orderCandidates(run.route.candidates, run.services.clock);
    this.#control = controlCall(asked.call, run.route.control);
  }

  start(): void {
    this.#run.answer.client?.onDrain(() => this.#exchange?.resume());
    this.#tryNext();
  }

  abandon(): void {
    if (this.over && this.#exchange?.isOver() !== false) return;
    this.over = true;
    this.#run.record.usage = this.#writer === undefined ? undefined : this.#join.usage();
    this.#leg?.stop();
    this.#exchange?.abort();
  }

  fail(refusal: Refusal): void {
    if (this.over) return;
    this.#leg?.stop();
    this.#exchange?.abort();
    if (this.#run.answer.isCommitted()) this.#breakOff(refusal.message);
    else this.#refuse(refusal);
  }

  begin({ candidate, losses, namespaces, sameProtocol }: CallLeg): void {
    if (this.#writer !== undefined) return;
    const { answer, record, route } = this.#run;
    record.candidate = candidate.name;
    record.addLosses(losses);
    const opened = answer.open(sameProtocol, losses);
    this.#writer = namespaces === undefined ? opened : withNamespaces(opened, namespaces);
    if (route.policy.onRefusal !== 'feedback') this.#asked = undefined;
  }

  emit(step: AnswerStep): void {
    if (this.over || this.#writer === undefined) return;
    const { record } = this.#run;
    const events = this.#join.map(step.events);
    record.see(events);
    record.firstByte();
    this.#writer.emit(events === step.events ? step : { events });
  }

  failed({ added, candidate, isRetry }: CallLeg, failure: UpstreamFailure): void {
    if (this.over) return;
    if (failure.retryAfterMs !== undefined)
      candidate.coolUntil = this.#run.services.clock.now() + failure.retryAfterMs;
    if (this.#rounds > 0) {
      this.#breakOff(failure.refusal.message);
      return;
    }
    this.#refusal = failure.refusal;
    // A connection that the provider had closed while it was idle says nothing about the provider.
    if (failure.kind === 'reset' && !isRetry && this.#startLeg(candidate, added, true)) return;
    this.#run.record.addFailure({ candidate: candidate.name, error: failure.refusal.code });
    if (failure.retryable) this.#tryNext();
    else this.#refuse(failure.refusal);
  }

  ended({ added, candidate }: CallLeg, end: TurnEnd, turn: ResponseCollector | undefined): void {
    if (this.over) return;
    if (end.kind === 'ended' || turn === undefined) {
      this.#end();
      return;
    }
    this.#rounds += 1;
    this.#join.next();
    this.#writer?.encodeFromHere();
    const items = [...added, ...feedbackItems(turn.response().items, end.refused)];
    if (!this.#startLeg(candidate, items)) this.#breakOff('The answer could not be continued.');
  }

  settled(): void {
    if (this.#run.answer.client?.full === true) this.#exchange?.pause();
  }

  #tryNext(): void {
    while (this.#next < this.#candidates.length && !this.over) {
      const candidate = this.#candidates[this.#next];
      this.#next += 1;
      if (candidate !== undefined && this.#startLeg(candidate, [])) return;
    }
    if (!this.over) this.#refuse(this.#refusal ?? refuse('internal_error'));
  }

  #startLeg(candidate: Candidate, added: readonly Item[], isRetry = false): boolean {
    const asked = this.#asked;
    if (asked === undefined) return false;
    const { policy } = this.#run.route;
    const control = this.#control;
    const plan = this.#planOf(asked, candidate, added);
    const prepared = control === undefined ? prepareRequest(plan) : undefined;
    if (prepared?.kind === 'refused') {
      this.#refusal ??= prepared.refusal;
      return false;
    }
    const leg = new CallLeg(this, this.#run, {
      plan,
      isRetry,
      // A turn that continues an answer is its candidate's.
      keepsOpening: this.#rounds === 0 && this.#next < this.#candidates.length,
      feedback: policy.onRefusal === 'feedback' && this.#rounds < policy.maxRounds,
    });
    this.#leg = leg;
    let started: Exchange;
    if (control !== undefined) started = leg.control(control, plan);
    else if (prepared === undefined) return false;
    else started = leg.send(prepared.request, asked.client.call.stream === true);
    // A failure at once has begun another leg already.
    if (this.#leg === leg) this.#exchange = started;
    return true;
  }

  #planOf(asked: AskedCall, candidate: Candidate, added: readonly Item[]): RequestPlan {
    const { principal, route, services } = this.#run;
    return {
      client: asked.client,
      clientHeaders: asked.headers,
      candidate,
      offered: asked.offered,
      choosable: asked.choosable,
      call: asked.call,
      edits: [],
      added,
      strict: route.config.strict,
      continuations: services.continuations,
      place: {
        principal,
        candidate: `${candidate.name} ${candidate.model ?? asked.client.call.model}`,
        protocol: candidate.provider.protocol,
      },
    };
  }

  #end(): void {
    const { record } = this.#run;
    if (this.#writer !== undefined) record.addLosses(this.#writer.losses());
    record.usage = this.#join.usage();
    this.#finish();
    this.#writer?.end();
  }

  #breakOff(message: string, code?: RefusalCode): void {
    if (this.over) return;
    // As long as only signs of life went out, nobody's answer was opened.
    this.#writer ??= this.#run.answer.open(false, []);
    this.emit({ events: [breakOffEvent(message, code)] });
    this.#end();
  }

  #refuse(refusal: Refusal): void {
    const { answer, record } = this.#run;
    record.error ??= refusal.code;
    // The connection was kept alive: what it carries is a stream by now.
    if (answer.isCommitted()) {
      this.#breakOff(refusal.message, refusal.code);
      return;
    }
    this.#finish();
    answer.refuse(refusal);
  }

  #finish(): void {
    this.over = true;
    this.#asked = undefined;
    const last = this.#exchange;
    // A provider that keeps its connection open behind the end is not waited for.
    if (last !== undefined && !last.isOver())
      this.#run.services.clock.setTimer(() => last.abort(), LAST_BYTES_MS);
  }
}
