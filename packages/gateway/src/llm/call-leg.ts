import {
  createResponseCollector,
  type Item,
  type Loss,
  type NamespacedName,
  type ResponseCollector,
  type UnreadCall,
} from '@toolgate/model';
import type { AttemptWatch } from '../observe/request-watch.ts';
import type { Exchange } from '../upstream/exchange.ts';
import type { UpstreamFailure } from '../upstream/upstream-failure.ts';
import type { AnswerStep } from './answer/answer-step.ts';
import { type AttemptHandler, startAttempt } from './answer/attempt.ts';
import type { CallRun } from './call-run.ts';
import type { ControlledCall } from './control/control-of.ts';
import { startControlled } from './control/start-controlled.ts';
import type { CallAnswer, ProposedCall } from './firewall/call-verdict.ts';
import type { CallJudge } from './firewall/judge-call.ts';
import {
  createTurnFirewall,
  type TurnEnd,
  type TurnFirewall,
  type TurnFirewallOptions,
} from './firewall/turn-firewall.ts';
import type { NoteUnread } from './firewall/unread-account.ts';
import type { RequestPlan } from './request/prepare-request.ts';
import type { PreparedRequest } from './request/prepared-request.ts';
import { isPassage } from './routes/is-passage.ts';
import type { Candidate } from './routes/route-table.ts';

/** What a leg tells the call that it is part of. */
export interface LegOwner {
  /** Whether nothing more goes to the client. */
  readonly over: boolean;
  /** The first event of an answer came. Only the first call counts. */
  begin(leg: CallLeg): void;
  /** Takes what may go to the client, in order. */
  emit(step: AnswerStep): void;
  /** The candidate gave no answer. */
  failed(leg: CallLeg, failure: UpstreamFailure): void;
  ended(leg: CallLeg, end: TurnEnd, turn: ResponseCollector | undefined): void;
  /** Everything that came together was handed on; for backpressure. */
  settled(): void;
}

/** What a leg is made of. */
export interface CallLegOptions {
  readonly plan: RequestPlan;
  /** Whether a candidate is asked again that had closed its idle connection. */
  readonly isRetry: boolean;
  /** Whether another candidate could answer instead. */
  readonly keepsOpening: boolean;
  /** Whether the model may be told of refusals in this turn. */
  readonly feedback: boolean;
}

const NOTHING: readonly Loss[] = Object.freeze([]);

/** One turn of a call, asked of one candidate: its answer goes through the firewall to the call that it is part of. */
export class CallLeg implements AttemptHandler, TurnFirewallOptions {
  readonly candidate: Candidate;
  /** What a hidden round added to the conversation. */
  readonly added: readonly Item[];
  readonly isRetry: boolean;
  readonly feedback: boolean;
  readonly passage: boolean;
  /** Of the request that was sent last. */
  losses: readonly Loss[] = NOTHING;
  sameProtocol = false;
  namespaces: ReadonlyMap<string, NamespacedName> | undefined = undefined;
  readonly #owner: LegOwner;
  readonly #run: CallRun;
  readonly #model: string;
  readonly #keepsOpening: boolean;
  readonly #firewall: TurnFirewall;
  /** Made from the plan where its thoughts are kept; the plan holds all that the client sent. */
  readonly #keptFor: Pick<RequestPlan, 'call' | 'place'> | undefined;
  readonly #turn: ResponseCollector | undefined;
  #judge: CallJudge | undefined = undefined;
  #noteUnread: NoteUnread | undefined = undefined;

  constructor(owner: LegOwner, run: CallRun, { feedback, isRetry, keepsOpening, plan }: CallLegOptions) {
    const { added, call, candidate, client, place } = plan;
    const translates = candidate.provider.protocol !== client.protocol;
    this.candidate = candidate;
    this.added = added;
    this.isRetry = isRetry;
    this.feedback = feedback;
    this.passage = isPassage(run.route.config);
    this.#owner = owner;
    this.#run = run;
    this.#model = candidate.model ?? call.model;
    this.#keepsOpening = keepsOpening;
    this.#keptFor = translates ? { call, place } : undefined;
    this.#turn = feedback || translates ? createResponseCollector() : undefined;
    this.#firewall = createTurnFirewall(this);
  }

  /** Sends a request that was made for the candidate. */
  send(request: PreparedRequest, stream: boolean): Exchange {
    this.#sent(request);
    const { candidate } = this;
    const { now } = this.#run.services.clock;
    const keepsOpening = this.#keepsOpening;
    return startAttempt({ candidate, request, stream, keepsOpening, now, watch: this.#watch() }, this);
  }

  /** Asks with a control tool in the call. */
  control({ projected, provider }: ControlledCall, plan: RequestPlan): Exchange {
    const { requestId, services } = this.#run;
    return startControlled(
      {
        provider,
        projected,
        plan,
        requestId,
        keepsOpening: this.#keepsOpening,
        now: services.clock.now,
        onRequest: (request) => this.#sent(request),
        watch: () => this.#watch(),
        onDefect: services.onDefect,
      },
      this,
    );
  }

  /** The client is gone: nothing more is emitted. */
  stop(): void {
    this.#firewall.stop();
  }

  opened(): void {
    this.#run.answer.client?.keepAlive();
  }

  step(step: AnswerStep): void {
    if (this.#owner.over) return;
    // Bytes without meaning prove no answer; there may still be another candidate.
    if (step.events.length > 0) this.#owner.begin(this);
    if (this.#turn !== undefined) for (const event of step.events) this.#turn.push(event);
    this.#firewall.push(step);
  }

  failed(failure: UpstreamFailure): void {
    this.#owner.failed(this, failure);
  }

  isFull(): boolean {
    return this.#firewall.isFull();
  }

  settled(): void {
    this.#owner.settled();
  }

  judge(call: ProposedCall): CallAnswer {
    this.#judge ??= this.#run.judges.createJudge();
    return this.#judge(call);
  }

  emit(step: AnswerStep): void {
    this.#owner.emit(step);
  }

  onUnread(calls: readonly UnreadCall[], passed: boolean): void {
    const { answer, judges, record } = this.#run;
    this.#noteUnread ??= judges.createUnread();
    const losses = this.#noteUnread(calls, passed);
    record.addLosses(losses);
    answer.addLosses(losses);
  }

  onWait(): void {
    this.#run.answer.commit();
  }

  onEnd(end: TurnEnd): void {
    const turn = this.#turn;
    if (this.#keptFor !== undefined && turn !== undefined) {
      const { call, place } = this.#keptFor;
      this.#run.services.continuations.remember(place, turn.response().items, call.items);
    }
    this.#owner.ended(this, end, turn);
  }

  #sent({ losses, namespaces, sameProtocol }: PreparedRequest): void {
    this.losses = losses;
    this.sameProtocol = sameProtocol;
    this.namespaces = namespaces;
    this.#run.record.attempts += 1;
  }

  #watch(): AttemptWatch {
    const { requestId, services } = this.#run;
    const { host, name, protocol } = this.candidate.provider;
    return services.watch.attempt(requestId, { provider: name, protocol, host, model: this.#model });
  }
}
