import type { Item, ModelEvent } from '@toolgate/model';
import { MAX_IDENTIFIER_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { type Projection, proofOf } from '../projection/projection.ts';
import type { CompletedCall } from '../provider/completed-call.ts';
import type { CheckedControlSpec } from '../spec/control-spec.ts';
import { textFault } from '../text/text-fault.ts';
import { ArgumentBuffer } from './argument-buffer.ts';
import type { CaptureReason, CaptureState } from './capture-reason.ts';
import { Claims, exhausted } from './claims.ts';
import { readForeignPayload } from './foreign-payload.ts';
import { hideEcho } from './hide-echo.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/** The one call that may become the completed one. */
interface LiveCall {
  readonly index: number;
  readonly callId: string;
  readonly buffer: ArgumentBuffer;
}

/**
 * Takes the control calls out of one attempt's answer. Everything else flows on at once, in order, unbuffered; what
 * belongs to a control call, valid or not, goes no further. Made per attempt, and only where its projection is active.
 *
 * Ownership follows from the projection, never from a name alone. The first fault counts and stays; malformed control
 * input after a whole call makes that call invalid too.
 */
export class ControlCapture {
  readonly #spec: CheckedControlSpec;
  readonly #claims = new Claims();
  #state: CaptureState = 'idle';
  #reason: CaptureReason | undefined;
  #started = false;
  #live: LiveCall | undefined;
  #completed: CompletedCall | undefined;
  /** Names the blocks of whole items, which have no index. */
  #items = 0;

  /** @throws ControlError `control/projection-inactive`. */
  constructor(projection: Projection) {
    this.#spec = proofOf(projection).spec;
  }

  get state(): CaptureState {
    return this.#state;
  }

  /** Why it failed; also kept after a release. */
  get reason(): CaptureReason | undefined {
    return this.#reason;
  }

  /** The whole call, as long as nothing made it invalid; given out once. */
  takeCompleted(): CompletedCall | undefined {
    const call = this.#completed;
    this.#completed = undefined;
    return call;
  }

  /**
   * Looks at the next event.
   *
   * @returns What flows on: the event itself, an envelope without the echo of the control tool, or `undefined` for what
   *   belongs to a control call.
   * @throws ControlError `control/capture-exhausted`: abort the attempt; `control/capture-released`: a control call came
   *   after the release.
   */
  push(event: ModelEvent): ModelEvent | undefined {
    switch (event.kind) {
      case 'call-start':
        return this.#start(event.index, event.callId, event.name) ? undefined : event;
      case 'call-delta':
        return this.#delta(event) ? undefined : event;
      case 'call-end':
        return this.#end(event) ? undefined : event;
      case 'foreign':
        return this.#foreign(event.item.value) ? undefined : event;
      case 'part':
        return event.part.kind === 'foreign' && this.#foreign(event.part.value) ? undefined : event;
      case 'response-start':
        return hideEcho(event, this.#spec);
      case 'response-end':
        this.#finish();
        return hideEcho(event, this.#spec);
      case 'response-error':
        this.#finish();
        return event;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'refusal-start':
      case 'refusal-delta':
      case 'refusal-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'usage':
      case 'warning':
        return event;
    }
  }

  /** The same for an item that came whole. */
  pushItem(item: Item): Item | undefined {
    switch (item.kind) {
      case 'tool-call':
        return this.#wholeCall(item.callId, item.name, item.arguments) ? undefined : item;
      case 'tool-result':
        return this.#result(item.callId, item.name ?? '') ? undefined : item;
      case 'foreign':
        return this.#foreign(item.value) ? undefined : item;
      case 'message':
      case 'reasoning':
        return item;
    }
  }

  /** Ends the capture: on cancellation, close, loss or replacement of the attempt. Nothing completes any more. */
  release(): void {
    this.#state = 'released';
    this.#live = undefined;
    this.#completed = undefined;
  }

  #isNamed(name: string): boolean {
    return name === this.#spec.tool.name;
  }

  /** Whether a start belongs to a control call. */
  #start(index: number, callId: string, name: string): boolean {
    const known = this.#claims.hasId(callId);
    if (!known && !this.#isNamed(name)) return false;
    this.#claim(index, callId);
    if (!this.#isNamed(name)) this.#fail('control_call_name_conflict');
    else if (known) this.#fail('control_call_duplicate_start');
    else if (this.#started) this.#fail('control_call_multiple_calls');
    else if (textFault(callId, { maxBytes: MAX_IDENTIFIER_BYTES, required: true }) !== undefined) {
      this.#fail('control_call_id_invalid');
    } else if (this.#state === 'idle') {
      this.#live = { index, callId, buffer: new ArgumentBuffer(this.#spec.maxArgsBytes) };
      this.#state = 'open';
    }
    if (this.#isNamed(name)) this.#started = true;
    return true;
  }

  #delta({ index, delta }: EventOf<'call-delta'>): boolean {
    if (!this.#claims.hasBlock(index)) return false;
    this.#refuseReleased();
    if (this.#live?.index === index) {
      if (!this.#live.buffer.add(delta)) this.#fail('control_call_args_overflow');
    } else {
      // Whatever else was claimed has failed already, or is the whole call.
      this.#fail('control_call_args_after_finish');
    }
    return true;
  }

  #end({ index, callId, name, arguments: text }: EventOf<'call-end'>): boolean {
    const block = this.#claims.hasBlock(index);
    const known = this.#claims.hasId(callId);
    if (!block && !known && !this.#isNamed(name)) return false;
    this.#claim(index, callId);
    const live = this.#live;
    if (name !== '' && !this.#isNamed(name)) this.#fail('control_call_name_conflict');
    else if (!block && !known) {
      this.#fail(this.#started ? 'control_call_multiple_calls' : 'control_call_before_start');
    } else if (live === undefined) this.#fail('control_call_duplicate_finish');
    else if (live.index !== index || live.callId !== callId) this.#fail('control_call_name_conflict');
    else this.#complete(live, text);
    return true;
  }

  #complete({ callId, buffer }: LiveCall, text: string): void {
    const argsJson = buffer.equals(text) ? buffer.finish() : undefined;
    if (argsJson === undefined) {
      this.#fail('control_call_args_malformed');
      return;
    }
    this.#live = undefined;
    this.#state = 'completed';
    this.#completed = Object.freeze({ toolCallId: callId, toolName: this.#spec.tool.name, argsJson });
  }

  #wholeCall(callId: string, name: string, text: string): boolean {
    this.#items -= 1;
    const index = this.#items;
    if (!this.#start(index, callId, name)) return false;
    if (this.#live?.index === index) {
      this.#delta({ kind: 'call-delta', index, delta: text });
      if (this.#live?.index === index) this.#complete(this.#live, text);
    }
    return true;
  }

  #result(callId: string, name: string): boolean {
    const known = this.#claims.hasId(callId);
    if (!known && !this.#isNamed(name)) return false;
    this.#claim(undefined, callId);
    this.#fail(known ? 'control_call_result_observed' : 'control_call_before_start');
    return true;
  }

  /** Judged by what it holds and not by what it says it is. */
  #foreign(value: Parameters<typeof readForeignPayload>[0]): boolean {
    const { names, ids } = readForeignPayload(value);
    const named = names.some((name) => this.#isNamed(name));
    const known = ids.find((id) => this.#claims.hasId(id));
    if (!named && known === undefined) return false;
    this.#claim(undefined, named ? ids[0] : known);
    if (named) this.#fail('control_call_malformed_item');
    else if (names.length > 0) this.#fail('control_call_name_conflict');
    else this.#fail('control_call_result_observed');
    return true;
  }

  #claim(index: number | undefined, callId: string | undefined): void {
    this.#refuseReleased();
    if (this.#state === 'fatal') throw exhausted();
    try {
      if (index !== undefined) this.#claims.addBlock(index);
      if (callId !== undefined) this.#claims.addId(callId);
    } catch (error) {
      this.#drop();
      this.#state = 'fatal';
      throw error;
    }
  }

  #refuseReleased(): void {
    if (this.#state !== 'released') return;
    throw new ControlError('control/capture-released', 'A control call came after its attempt was over.');
  }

  #finish(): void {
    if (this.#state === 'open') this.#fail('control_call_unterminated');
  }

  /** The first reason counts. */
  #fail(reason: CaptureReason): void {
    this.#drop();
    this.#reason ??= reason;
    this.#state = 'failed';
  }

  #drop(): void {
    this.#live = undefined;
    this.#completed = undefined;
  }
}
