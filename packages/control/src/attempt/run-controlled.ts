import { type ModelCall, ModelError, type ModelEvent } from '@toolgate/model';
import { decideTerminal, type TerminalDecision } from '../completion/decide-terminal.ts';
import { countCalls, evidenceOf } from '../completion/evidence.ts';
import { PendingResult } from '../completion/pending-result.ts';
import { INITIAL_STATE, type ProtocolState } from '../completion/protocol-state.ts';
import { checkRepairPolicy } from '../completion/repair-policy.ts';
import { buildRepairText } from '../completion/repair-text.ts';
import { ControlError } from '../control-error.ts';
import { type Projected, project } from '../projection/project.ts';
import { reassert } from '../projection/reassert.ts';
import type { CheckedControlProvider } from '../provider/control-tool-provider.ts';
import { checkTimeout } from '../provider/run-handler.ts';
import { validateMeta } from '../provider/validate-meta.ts';
import { AnswerJoiner } from './answer-joiner.ts';
import type { TerminalEvent } from './attempt-facts.ts';
import { type AttemptResult, observationOf } from './attempt-result.ts';
import { ControlAttempt } from './control-attempt.ts';
import type { AttemptRecord, ControlledRunConfig } from './controlled-run.ts';
import { repairCall } from './repair-call.ts';

/**
 * One request with a control tool, from the projection to the end of the client's answer: the events for the client,
 * without the control tool, with the published result, over as many attempts as the policy allows.
 *
 * Without a provider, or where the call is not eligible, the call is opened as it is and its events come from `open`
 * itself. Once something has gone out, a failure is a `response-error` and not a throw.
 *
 * @throws ControlError `control/meta-invalid`, `control/options-invalid`, at once; `control/projection-conflict` before
 *   anything is opened; whatever `open` throws before its first output.
 */
export function runControlled(config: ControlledRunConfig): AsyncIterable<ModelEvent> {
  const { call, provider, capabilities, open, signal } = config;
  if (provider === undefined) {
    return open(call, { projection: undefined, attemptSeq: 0, repair: false, edits: [], signal });
  }
  const projected = project(call, provider.spec, capabilities);
  const { projection } = projected;
  if (!projection.active) return open(call, { projection, attemptSeq: 0, repair: false, edits: [], signal });
  return new ControlledRun(config, provider).events(projected);
}

class ControlledRun {
  readonly #config: ControlledRunConfig;
  readonly #provider: CheckedControlProvider;
  readonly #joiner = new AnswerJoiner();
  #state: ProtocolState;
  #call: ModelCall;
  /** How the answer would have ended without the repair that goes on. */
  #fallback: TerminalEvent | undefined;
  /** Of the conversation: an attempt with such calls is the last one. */
  readonly #ordinaryCalls: number;
  /** What the attempt before said. */
  #said = '';

  constructor(config: ControlledRunConfig, provider: CheckedControlProvider) {
    // What is wrong with the configuration has to be said before anything has gone out.
    validateMeta({ ...config.meta, attemptSeq: 0 });
    checkTimeout(config.handler?.timeoutMs);
    checkRepairPolicy(config.policy);
    this.#config = config;
    this.#provider = provider;
    this.#state = config.state ?? INITIAL_STATE;
    this.#call = config.call;
    this.#ordinaryCalls = countCalls(config.call.items);
  }

  async *events(first: Projected): AsyncGenerator<ModelEvent, void, undefined> {
    const { capabilities } = this.#config;
    let projected = first;
    for (let seq = 0; ; seq += 1) {
      const attempt = this.#begin(projected, seq);
      try {
        const broken: TerminalEvent | undefined = yield* this.#stream(attempt, projected, seq);
        const notice: string | undefined = yield* this.#conclude(attempt, broken, seq);
        if (notice === undefined) return;
        this.#said = attempt.replay ?? '';
        this.#call = repairCall(this.#call, this.#said, notice);
        projected = project(this.#call, this.#provider.spec, capabilities);
      } finally {
        attempt.release();
      }
    }
  }

  #begin({ projection }: Projected, attemptSeq: number): ControlAttempt {
    const { meta, clientCompletionTool, handler, signal } = this.#config;
    return new ControlAttempt({
      projection,
      provider: this.#provider,
      meta: { ...meta, attemptSeq, ordinaryCalls: this.#ordinaryCalls },
      ...(clientCompletionTool === undefined ? {} : { clientCompletionTool }),
      handler: { ...handler, signal },
    });
  }

  /** The events of one attempt; the error that it ends with when it breaks after its first output. */
  async *#stream(
    attempt: ControlAttempt,
    { call, projection }: Projected,
    attemptSeq: number,
  ): AsyncGenerator<ModelEvent, TerminalEvent | undefined, undefined> {
    const { open, prepare, signal } = this.#config;
    const repair = attemptSeq > 0;
    const edits = repair ? undefined : projection.edits;
    try {
      const ready = reassert(prepare === undefined ? call : prepare(call), projection);
      for await (const event of open(ready, { projection, attemptSeq, repair, edits, signal })) {
        const shown = attempt.push(event);
        if (shown !== undefined) yield* this.#joiner.push(shown);
      }
      return undefined;
    } catch (error) {
      if (!this.#joiner.started && !repair) throw error;
      return brokenBy(error);
    }
  }

  /** Ends the answer, or gives the notice of the attempt that follows. */
  async *#conclude(
    attempt: ControlAttempt,
    broken: TerminalEvent | undefined,
    seq: number,
  ): AsyncGenerator<ModelEvent, string | undefined, undefined> {
    const result = await attempt.settle();
    if (result.kind === 'dropped') {
      this.#tell(result, seq, undefined);
      return undefined;
    }
    const ours = broken !== undefined && isOurs(broken);
    if (ours || result.kind === 'failed') {
      this.#tell(result, seq, undefined);
      yield* this.#joiner.end(ours ? broken : HANDLER_FAILED);
      return undefined;
    }
    const decision = this.#decide(attempt, result, seq);
    this.#state = decision.state;
    this.#tell(result, seq, decision);
    const terminal = this.#terminalOf(attempt, result, broken);
    if (decision.kind === 'continue') {
      this.#fallback = terminal;
      yield* this.#joiner.nextAttempt();
      return decision.repairText;
    }
    yield* this.#publish(result, seq, terminal);
    return undefined;
  }

  #decide(attempt: ControlAttempt, result: AttemptResult, seq: number): TerminalDecision {
    const { call, policy } = this.#config;
    const evidence = evidenceOf(call, result.facts);
    const refusal = refusalOf(result);
    return decideTerminal({
      evidence,
      state: this.#state,
      expected: true,
      explicit: result.kind === 'valid' || (result.kind === 'absent' && result.clientCompletion),
      attempts: seq + 1,
      ...(policy === undefined ? {} : { policy }),
      repairText: () =>
        attempt.replay === undefined
          ? undefined
          : buildRepairText({
              toolName: this.#provider.spec.tool.name,
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

  async *#publish(
    result: AttemptResult,
    attemptSeq: number,
    terminal: TerminalEvent,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const joiner = this.#joiner;
    if (result.kind === 'valid' && !this.#isSaid(result.resultText)) {
      const identity = { bLegId: this.#config.meta?.bLegId ?? '', attemptSeq };
      const pending = new PendingResult(result.resultText, identity);
      try {
        pending.stage(this.#config.stage);
      } catch {
        // What a hook throws is not for the client, and a result that it did not pass is not published.
        yield* joiner.end(HANDLER_FAILED);
        return;
      }
      pending.activate();
      const { nextIndex, hasText } = joiner;
      const events = pending.drain(identity, { started: true, nextIndex, hasText });
      if (events.length > 0) yield* joiner.begin();
      yield* events;
    }
    yield* joiner.end(terminal);
  }

  /** Text of the same attempt is the answer already; that of the one before is, where it ends with the result. */
  #isSaid(resultText: string): boolean {
    return this.#joiner.hasTextNow || this.#said.trimEnd().endsWith(resultText.trim());
  }

  #tell(result: AttemptResult, attemptSeq: number, decision: TerminalDecision | undefined): void {
    const record: AttemptRecord = Object.freeze({
      providerId: this.#provider.id,
      attemptSeq,
      observation: observationOf(result),
      result: result.kind,
      reason: 'reason' in result ? result.reason : 'reasonCode' in result ? 'provider_reason' : '',
      cause: result.facts.cause,
      decision: decision?.kind ?? (result.kind === 'dropped' ? 'dropped' : 'failed'),
      decisionReason: decision?.reason ?? '',
      state: this.#state,
    });
    try {
      this.#config.observe?.(record);
    } catch {
      // Who watches cannot change what happens.
    }
  }
}

/** Why the model's last control call did not count, as a word that it may be told. */
function refusalOf(result: AttemptResult): string | undefined {
  if (result.kind === 'invalid') return result.reasonCode;
  return result.kind === 'refused' ? result.reason : undefined;
}

const HANDLER_FAILED: TerminalEvent = Object.freeze({
  kind: 'response-error',
  code: 'control_handler_failed',
  message: 'The answer could not be completed.',
});

const CUT: TerminalEvent = Object.freeze({
  kind: 'response-error',
  code: 'model/stream-incomplete',
  message: 'The answer of the model was cut off.',
});

/** The terminal for what broke an attempt; nothing of its message goes on. */
function brokenBy(error: unknown): TerminalEvent {
  if (ControlError.is(error)) return Object.freeze({ ...HANDLER_FAILED, code: error.code });
  return ModelError.is(error) ? Object.freeze({ ...CUT, code: error.code }) : CUT;
}

/** Whether an attempt broke because of us, so that another one would break as well. */
function isOurs(broken: TerminalEvent): boolean {
  return broken.kind === 'response-error' && broken.code.startsWith('control/');
}
