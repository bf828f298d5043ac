import type { ModelEvent } from '@toolgate/model';
import {
  type AttemptCause,
  type AttemptFacts,
  MAX_EVIDENCE_ACTIONS,
  type OrdinaryAction,
} from '../completion/evidence.ts';
import { TextPieces } from '../text/text-pieces.ts';
import { awaitsClient } from './awaits-client.ts';

/** The event that ends an answer. */
export type TerminalEvent = Extract<ModelEvent, { readonly kind: 'response-end' | 'response-error' }>;

/** Every other event. */
export type FlowingEvent = Exclude<ModelEvent, TerminalEvent>;

/** UTF-16 units of assistant text that are kept to be said again in a repair attempt. */
export const MAX_REPLAY_LENGTH = 1_048_576;

interface Action {
  readonly index: number;
  readonly name: string;
  status: OrdinaryAction['status'];
}

/** Watches what flows on to the client, and keeps of it what the end of the attempt is decided on. Bounded. */
export class AttemptWatch {
  readonly #clientCompletionTool: string | undefined;
  readonly #actions: Action[] = [];
  readonly #text = new TextPieces();
  #textLength = 0;
  #calls = 0;
  #committed = false;
  #clientCompletion = false;

  /** @param clientCompletionTool - A tool of the client's that ends its task. */
  constructor(clientCompletionTool: string | undefined) {
    this.#clientCompletionTool = clientCompletionTool;
  }

  /** Calls of other tools in this attempt. */
  get ordinaryCalls(): number {
    return this.#calls;
  }

  get clientCompletion(): boolean {
    return this.#clientCompletion;
  }

  /** What was said, for a repair attempt; `undefined` when it is too long to be said again. */
  get replay(): string | undefined {
    return this.#textLength > MAX_REPLAY_LENGTH ? undefined : this.#text.text;
  }

  see(event: FlowingEvent): void {
    switch (event.kind) {
      case 'text-delta':
        this.#textLength += event.text.length;
        if (this.#textLength <= MAX_REPLAY_LENGTH) this.#text.add(event.text);
        this.#committed ||= event.text !== '';
        return;
      case 'call-start':
        this.#propose(event.index, event.name);
        return;
      case 'call-end': {
        const action = this.#actions.find(({ index }) => index === event.index);
        if (action !== undefined) action.status = 'pending';
        this.#clientCompletion ||= event.name === this.#clientCompletionTool;
        return;
      }
      case 'foreign':
        this.#committed = true;
        if (!awaitsClient(event.item)) return;
        this.#propose(event.index, 'foreign');
        this.see({ kind: 'call-end', index: event.index, callId: '', name: '', arguments: '' });
        return;
      case 'refusal-delta':
      case 'reasoning-delta':
      case 'part':
        this.#committed = true;
        return;
      case 'response-start':
      case 'text-start':
      case 'text-end':
      case 'refusal-start':
      case 'refusal-end':
      case 'reasoning-start':
      case 'reasoning-end':
      case 'call-delta':
      case 'usage':
      case 'warning':
        return;
    }
  }

  facts(cause: AttemptCause): AttemptFacts {
    const actions = this.#actions.map(({ name, status }) =>
      Object.freeze({ kind: 'call' as const, name, status }),
    );
    return Object.freeze({
      text: this.#text.text,
      actions: Object.freeze(actions),
      cause,
      outputCommitted: this.#committed,
    });
  }

  #propose(index: number, name: string): void {
    this.#calls += 1;
    this.#committed = true;
    // One open action decides as much as a thousand.
    if (this.#actions.length >= MAX_EVIDENCE_ACTIONS) return;
    const at = this.#actions.findIndex((action) => action.index === index);
    const action: Action = { index, name, status: 'incomplete' };
    if (at === -1) this.#actions.push(action);
    else this.#actions[at] = action;
  }
}

/** Codes of a failure on the way, as opposed to one of the provider. */
const TRANSPORT: ReadonlySet<string> = new Set([
  'model/connection-failed',
  'model/stream-incomplete',
  'model/stream-invalid',
  'model/timeout',
  'model/response-too-large',
]);

/** Why an answer ended, from its terminal event; one without is cut off. */
export function causeOf(terminal: TerminalEvent | undefined): AttemptCause {
  if (terminal === undefined) return 'transport';
  if (terminal.kind === 'response-error') {
    if (terminal.code === 'model/cancelled') return 'cancelled';
    return TRANSPORT.has(terminal.code) ? 'transport' : 'provider';
  }
  switch (terminal.finish) {
    case 'length':
      return 'limit';
    case 'error':
      return 'provider';
    case 'stop':
    case 'tool-calls':
    case 'content-filter':
    case 'refusal':
    case 'paused':
    case 'unknown':
      return terminal.finish;
  }
}
