import { ignoreThrown } from '@toolgate/core';
import type { ModelCall, ModelEvent } from '@toolgate/model';
import { decideEarly, decideTerminal, type TerminalDecision } from '../completion/decide-terminal.ts';
import { countCalls, evidenceOf, hasOpenAction } from '../completion/evidence.ts';
import { PendingResult } from '../completion/pending-result.ts';
import { INITIAL_STATE, type ProtocolState } from '../completion/protocol-state.ts';
import { checkRepairPolicy } from '../completion/repair-policy.ts';
import { buildRepairText } from '../completion/repair-text.ts';
import { type Projected, project } from '../projection/project.ts';
import { reassert } from '../projection/reassert.ts';
import type { ControlMeta } from '../provider/control-tool-provider.ts';
import { checkTimeout } from '../provider/run-handler.ts';
import { firstMeta } from '../provider/validate-meta.ts';
import { AnswerJoiner } from './answer-joiner.ts';
import type { TerminalEvent } from './attempt-facts.ts';
import { type AttemptResult, observationOf } from './attempt-result.ts';
import { brokenBy, CUT, HANDLER_FAILED, isOurs } from './broken-by.ts';
import { ControlAttempt } from './control-attempt.ts';
import type { AttemptPlan, AttemptRecord, ControlledFlowConfig } from './controlled-run.ts';
import { repairCall } from './repair-call.ts';

/** What a flow wants after an attempt: one more, or nothing, because the answer has its end. */
export type FlowNext = 'open' | 'end';

/**
 * One request with a control tool, driven by events: those of its attempts are pushed in, and those for the client come
 * out while they are. Nothing waits but a handler. `runControlled` is the same for who would rather ask for events.
 *
 * Use: `open`; `push` for each event; then `end`, or `fail` when the attempt broke or could not be opened. As long as
 * the answer to that is `open`, once more. `stop` at any time.
 */
export class ControlledFlow {
  readonly #config: ControlledFlowConfig;
  readonly #emit: (event: ModelEvent) => void;
  readonly #joiner = new AnswerJoiner();
  #projected: Projected;
  #attempt: ControlAttempt | undefined;
  #attemptSeq = -1;
  #state: ProtocolState;
  #call: ModelCall;
  /** How the answer would have ended without the repair that goes on. */
  #fallback: TerminalEvent | undefined;
  /** Of the first attempt; the calls in the conversation are those of every one, as an attempt with more is the last. */
  readonly #meta: ControlMeta;
  /** What the attempt before said. */
  #said = '';
  #stopped = false;

  /**
   * @param projected - An active projection of `config.call`.
   * @param emit - Takes what the client gets, in order.
   * @throws ControlError `control/meta-invalid`, `control/options-invalid`.
   */
  constructor(config: ControlledFlowConfig, projected: Projected, emit: (event: ModelEvent) => void) {
    // What is wrong with the configuration has to be said before anything has gone out.
    this.#meta = firstMeta(config.meta, countCalls(config.call.items));
    checkTimeout(config.handler?.timeoutMs);
    checkRepairPolicy(config.policy);
    this.#config = config;
    this.#projected = projected;
    this.#emit = emit;
    this.#state = config.state ?? INITIAL_STATE;
    this.#call = config.call;
  }

  /**
   * Begins the next attempt.
   *
   * @throws ControlError `control/projection-conflict` and others: nothing may be opened; hand it to `fail`.
   */
  open(): { readonly call: ModelCall; readonly attempt: AttemptPlan } {
    const { prepare } = this.#config;
    const { call, projection } = this.#projected;
    this.#attemptSeq += 1;
    this.#attempt = this.#begin();
    const repair = this.#attemptSeq > 0;
    const ready = reassert(prepare === undefined ? call : prepare(call), projection);
    const edits = repair ? undefined : projection.edits;
    return { call: ready, attempt: { projection, attemptSeq: this.#attemptSeq, repair, edits } };
  }

  /**
   * Takes the next event of the present attempt.
   *
   * @throws ControlError as `ControlCapture.push` does: end the attempt, and hand it to `fail`.
   */
  push(event: ModelEvent): void {
    const shown = this.#attempt?.push(event);
    const joined = shown === undefined ? undefined : this.#joiner.push(shown);
    if (joined !== undefined) this.#emit(joined);
  }

  /** Says that the present attempt is over. At once, unless a handler has to be asked. */
  end(): FlowNext | Promise<FlowNext> {
    return this.#conclude(undefined);
  }

  /**
   * Says that the present attempt broke, or could not be opened.
   *
   * @throws `error`, as long as nothing has gone out: that is the business of retries and of other candidates.
   */
  fail(error: unknown): FlowNext | Promise<FlowNext> {
    ignoreThrown(error);
    if (!this.#joiner.started && this.#attemptSeq <= 0) throw error;
    return this.#conclude(brokenBy(error));
  }

  /** Ends everything; nothing is emitted any more. A handler that runs is told, and its answer dropped. */
  stop(): void {
    this.#stopped = true;
    this.#attempt?.release();
  }

  #begin(): ControlAttempt {
    const { clientCompletionTool, handler, provider } = this.#config;
    const attemptSeq = this.#attemptSeq;
    return new ControlAttempt({
      projection: this.#projected.projection,
      provider,
      meta: attemptSeq === 0 ? this.#meta : { ...this.#meta, attemptSeq },
      clientCompletionTool,
      handler,
    });
  }

  #conclude(broken: TerminalEvent | undefined): FlowNext | Promise<FlowNext> {
    const attempt = this.#attempt;
    if (attempt === undefined || this.#stopped) return 'end';
    const result = attempt.settleNow();
    if (result instanceof Promise) return result.then((late) => this.#settled(attempt, late, broken));
    return this.#settled(attempt, result, broken);
  }

  /** Ends the answer, or prepares the attempt that follows. */
  #settled(attempt: ControlAttempt, result: AttemptResult, broken: TerminalEvent | undefined): FlowNext {
    const notice = this.#decideEnd(attempt, result, broken);
    attempt.release();
    if (notice === undefined) return 'end';
    this.#said = attempt.replay ?? '';
    this.#call = repairCall(this.#call, this.#said, notice);
    this.#projected = project(this.#call, this.#config.provider.spec, this.#config.capabilities);
    return 'open';
  }

  /** Ends the answer, or gives the notice of the attempt that follows. */
  #decideEnd(
    attempt: ControlAttempt,
    result: AttemptResult,
    broken: TerminalEvent | undefined,
  ): string | undefined {
    if (result.kind === 'dropped' || this.#stopped) {
      this.#tell(result, undefined);
      return undefined;
    }
    const ours = broken !== undefined && isOurs(broken);
    if (ours || result.kind === 'failed') {
      this.#tell(result, undefined);
      this.#emitAll(this.#joiner.end(ours ? broken : HANDLER_FAILED));
      return undefined;
    }
    const decision = this.#decide(attempt, result);
    this.#state = decision.state;
    this.#tell(result, decision);
    const terminal = this.#terminalOf(attempt, result, broken);
    if (decision.kind === 'continue') {
      this.#fallback = terminal;
      this.#emitAll(this.#joiner.nextAttempt(terminal));
      return decision.repairText;
    }
    this.#publish(result, terminal);
    return undefined;
  }

  #decide(attempt: ControlAttempt, result: AttemptResult): TerminalDecision {
    const { call, policy, provider } = this.#config;
    const { facts } = result;
    const state = this.#state;
    const explicit = result.kind === 'valid' || (result.kind === 'absent' && result.clientCompletion);
    const { cause, outputCommitted } = facts;
    const early = decideEarly({
      cause,
      outputCommitted,
      state,
      explicit,
      hasOpenAction: () => hasOpenAction(call, facts),
    });
    if (early !== undefined) return early;
    const evidence = evidenceOf(call, facts);
    const refusal = refusalOf(result);
    return decideTerminal({
      evidence,
      state,
      expected: true,
      explicit,
      attempts: this.#attemptSeq + 1,
      ...(policy === undefined ? {} : { policy }),
      repairText: () =>
        attempt.replay === undefined
          ? undefined
          : buildRepairText({
              toolName: provider.spec.tool.name,
              objective: evidence.objective,
              ...(refusal === undefined ? {} : { refusal }),
            }),
    });
  }

  /** How the answer ends now. A repair that brought nothing leaves the end that there was before it. */
  #terminalOf(
    attempt: ControlAttempt,
    { facts }: AttemptResult,
    broken: TerminalEvent | undefined,
  ): TerminalEvent {
    const own = attempt.terminal ?? broken ?? CUT;
    const idle = own.kind === 'response-error' && !facts.outputCommitted;
    return idle && this.#fallback !== undefined ? this.#fallback : own;
  }

  #publish(result: AttemptResult, terminal: TerminalEvent): void {
    const joiner = this.#joiner;
    if (result.kind === 'valid' && !this.#isSaid(result.resultText)) {
      const identity = { bLegId: this.#meta.bLegId ?? '', attemptSeq: this.#attemptSeq };
      const pending = new PendingResult(result.resultText, identity);
      try {
        pending.stage(this.#config.stage);
      } catch {
        // What a hook throws is not for the client, and a result that it did not pass is not published.
        this.#emitAll(joiner.end(HANDLER_FAILED));
        return;
      }
      pending.activate();
      const { nextIndex, hasText } = joiner;
      const events = pending.drain(identity, { started: true, nextIndex, hasText });
      if (events.length > 0) this.#emitAll(joiner.begin());
      this.#emitAll(events);
    }
    this.#emitAll(joiner.end(terminal));
  }

  /** Text of the same attempt is the answer already; that of the one before is, where it ends with the result. */
  #isSaid(resultText: string): boolean {
    return this.#joiner.hasTextNow || this.#said.trimEnd().endsWith(resultText.trim());
  }

  #emitAll(events: readonly ModelEvent[]): void {
    for (const event of events) this.#emit(event);
  }

  #tell(result: AttemptResult, decision: TerminalDecision | undefined): void {
    const { observe, provider } = this.#config;
    if (observe === undefined) return;
    const record: AttemptRecord = Object.freeze({
      providerId: provider.id,
      attemptSeq: this.#attemptSeq,
      observation: observationOf(result),
      result: result.kind,
      reason: 'reason' in result ? result.reason : 'reasonCode' in result ? 'provider_reason' : '',
      cause: result.facts.cause,
      decision: decision?.kind ?? (result.kind === 'dropped' ? 'dropped' : 'failed'),
      decisionReason: decision?.reason ?? '',
      state: this.#state,
    });
    try {
      ignoreThrown(observe(record));
    } catch (thrown) {
      ignoreThrown(thrown);
      // Who watches cannot change what happens.
    }
  }
}

/** Why the model's last control call did not count, as a word that it may be told. */
function refusalOf(result: AttemptResult): string | undefined {
  if (result.kind === 'invalid') return result.reasonCode;
  return result.kind === 'refused' ? result.reason : undefined;
}
