import { ignoreThrown } from '@toolgate/core';
import type { ModelEvent } from '@toolgate/model';
import { ControlCapture } from '../capture/control-capture.ts';
import type { AttemptFacts } from '../completion/evidence.ts';
import type { Projection } from '../projection/projection.ts';
import type { CompletedCall } from '../provider/completed-call.ts';
import type { CheckedControlProvider, ControlMeta } from '../provider/control-tool-provider.ts';
import { type RunHandlerOptions, runHandler } from '../provider/run-handler.ts';
import { AttemptWatch, causeOf, type FlowingEvent, type TerminalEvent } from './attempt-facts.ts';
import type { AttemptResult } from './attempt-result.ts';

/** What one attempt at a backend is watched with. */
export interface ControlAttemptConfig {
  /** An active one, of this attempt's own call. */
  readonly projection: Projection;
  readonly provider: CheckedControlProvider;
  readonly meta: ControlMeta;
  /** A tool of the client's that ends its task, and counts as a completion. */
  readonly clientCompletionTool?: string | undefined;
  /** How the handler is run; its signal ends the attempt. */
  readonly handler?: RunHandlerOptions | undefined;
}

/**
 * One attempt from its first event to what became of its control call. Every attempt has its own, parallel ones too, and
 * what a released one holds is never used.
 */
export class ControlAttempt {
  readonly #config: ControlAttemptConfig;
  readonly #capture: ControlCapture;
  readonly #watch: AttemptWatch;
  #released = false;
  /** Made when a handler is asked: most attempts ask none. */
  #over: AbortController | undefined;
  #terminal: TerminalEvent | undefined;
  #result: AttemptResult | Promise<AttemptResult> | undefined;

  /** @throws ControlError `control/projection-inactive`. */
  constructor(config: ControlAttemptConfig) {
    this.#config = config;
    this.#capture = new ControlCapture(config.projection);
    this.#watch = new AttemptWatch(config.clientCompletionTool);
  }

  /** The event that ended the answer; it does not flow on by itself, because the answer may go on after it. */
  get terminal(): TerminalEvent | undefined {
    return this.#terminal;
  }

  /** What was said, for a repair attempt; `undefined` when it is too long to be said again. */
  get replay(): string | undefined {
    return this.#watch.replay;
  }

  /**
   * Looks at the next event.
   *
   * @returns What flows on to the client at once; `undefined` for what belongs to the control call, and for the terminal.
   * @throws ControlError as `ControlCapture.push` does.
   */
  push(event: ModelEvent): FlowingEvent | undefined {
    const shown = this.#capture.push(event);
    if (shown === undefined) return undefined;
    if (shown.kind === 'response-end' || shown.kind === 'response-error') {
      this.#terminal ??= shown;
      return undefined;
    }
    this.#watch.see(shown);
    return shown;
  }

  /** Says what became of the control call, once the answer has ended; the handler runs now, and once. */
  async settle(): Promise<AttemptResult> {
    return await this.settleNow();
  }

  /** The same, at once where no handler has to be asked. */
  settleNow(): AttemptResult | Promise<AttemptResult> {
    this.#result ??= this.#settle();
    return this.#result;
  }

  /** Ends the attempt: it was cancelled, closed, lost or replaced. A handler that runs is told, and its answer dropped. */
  release(): void {
    this.#capture.release();
    this.#released = true;
    this.#over?.abort();
  }

  #settle(): AttemptResult | Promise<AttemptResult> {
    const aborted = this.#released || isOver(this.#config.handler?.signal);
    const facts = this.#watch.facts(aborted ? 'cancelled' : causeOf(this.#terminal));
    if (aborted) return Object.freeze({ kind: 'dropped', facts });
    const reason = this.#capture.state === 'fatal' ? 'too_many_calls' : this.#capture.reason;
    if (reason !== undefined) return Object.freeze({ kind: 'refused', facts, reason });
    const call = this.#capture.takeCompleted();
    if (call === undefined) {
      // Still open is what a cut leaves; a terminal would have given it a reason.
      if (this.#capture.state === 'open') {
        return Object.freeze({ kind: 'refused', facts, reason: 'control_call_unterminated' });
      }
      const { clientCompletion } = this.#watch;
      return Object.freeze({ kind: 'absent', facts, clientCompletion });
    }
    if (facts.cause !== 'stop' && facts.cause !== 'tool-calls') {
      return Object.freeze({ kind: 'refused', facts, reason: 'turn_unfinished' });
    }
    if (this.#watch.ordinaryCalls > 0) {
      return Object.freeze({ kind: 'refused', facts, reason: 'ordinary_calls_pending' });
    }
    return this.#ask(call, facts);
  }

  async #ask(call: CompletedCall, facts: AttemptFacts): Promise<AttemptResult> {
    const { handler, meta, provider } = this.#config;
    this.#over = new AbortController();
    const own = this.#over.signal;
    const signal = handler?.signal === undefined ? own : AbortSignal.any([handler.signal, own]);
    const result = await runHandler(provider, call, meta, { ...handler, signal });
    switch (result.kind) {
      case 'dropped':
        return Object.freeze({ kind: 'dropped', facts: this.#watch.facts('cancelled') });
      case 'failed':
        return Object.freeze({ kind: 'failed', facts, reason: result.reason });
      case 'settled': {
        const { outcome } = result;
        const { reasonCode } = outcome;
        return outcome.kind === 'invalid'
          ? Object.freeze({ kind: 'invalid', facts, reasonCode })
          : Object.freeze({ kind: 'valid', facts, reasonCode, resultText: outcome.resultText });
      }
    }
  }
}

/** The reason may be a promise, by a slip. */
function isOver(signal: AbortSignal | undefined): boolean {
  if (signal?.aborted !== true) return false;
  ignoreThrown(signal.reason);
  return true;
}
