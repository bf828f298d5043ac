import { freezeJson } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { ModelError } from '../model-error.ts';
import { type CallDelta, keptMembers, saysSomething } from './call-delta.ts';
import type { CallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { createJsonBalance } from './json-balance.ts';

/** Joins the deltas of the calls of one answer. */
export interface ToolCallMerger {
  /**
   * @throws ModelError `model/stream-invalid` for a delta that may belong to more than one call, or to one that is whole.
   */
  add(delta: CallDelta): void;
  /**
   * Gives out what was held back. `whole`: the provider ended the answer cleanly, which finishes its calls; `cut`: they
   * stay open; `perhaps`: it said so, but some servers say so between the pieces of a call, so that one whose text is not
   * whole waits for what comes. Calls that begin after an end have one of their own.
   *
   * @throws ModelError `model/stream-invalid` for a whole call that never got a name.
   */
  finish(end: 'whole' | 'cut' | 'perhaps', ids: CallIds): void;
  /** Calls of custom tools that were given out whole. */
  readonly foreignCalls: number;
  /**
   * Whether a delta said the name or the id of its call again, or did not say which call it is of: clients add such
   * pieces up to another call than the one that is meant. Whoever asks sets it back.
   */
  misleads: boolean;
}

interface Slot {
  readonly place: number;
  readonly ordinal: number;
  readonly custom: boolean;
  readonly balance: ReturnType<typeof createJsonBalance>;
  /** Pieces that the balance has not seen; it is only asked when two readings are possible. */
  unseen: string[];
  id: string | undefined;
  name: string | undefined;
  /** Members of the call without a neutral form, as far as they come before it is started. */
  extensions: Extensions | undefined;
  held: string;
  started: boolean;
  /** Whether an end came for it. */
  over: boolean;
}

/**
 * Makes a merger that writes to `writer`. An entry belongs to the call at its `index`, else to the call with its id,
 * else to the only call there is. Another id at an index is that of another call, a new one or one that goes on; a name
 * after arguments that are whole starts a new call. A call is started when both its id and its name are known; one that never gets an id waits for the end.
 *
 * @param pointerOf - The place of the n-th call in the whole answer.
 */
export function createToolCallMerger(
  writer: ResponseWriter,
  losses: LossLog,
  pointerOf: (ordinal: number) => string,
): ToolCallMerger {
  return new Merger(writer, losses, pointerOf);
}

class Merger implements ToolCallMerger {
  readonly #writer: ResponseWriter;
  readonly #losses: LossLog;
  readonly #pointerOf: (ordinal: number) => string;
  readonly #all: Slot[] = [];
  /** Calls without an end, in their order. */
  readonly #open: Set<Slot> = new Set();
  /** Those of them of which something was said since an end was last looked for. */
  readonly #touched: Set<Slot> = new Set();
  readonly #byIndex: Map<number, Slot> = new Map();
  readonly #byId: Map<string, Slot> = new Map();
  /** Places of calls of which nothing is said, by their index. */
  #announced: Map<number | undefined, number> | undefined = undefined;
  foreignCalls = 0;
  misleads = false;

  constructor(writer: ResponseWriter, losses: LossLog, pointerOf: (ordinal: number) => string) {
    this.#writer = writer;
    this.#losses = losses;
    this.#pointerOf = pointerOf;
  }

  add(delta: CallDelta): void {
    if (!saysSomething(delta)) {
      this.#announce(delta);
      return;
    }
    const slot = this.#find(delta);
    if (slot.over) {
      if (delta.text === '') return;
      throw new ModelError('model/stream-invalid', 'A call goes on after its end.');
    }
    if (delta.untexted)
      this.#losses.add(
        'approximated',
        this.#pointerOf(slot.ordinal),
        'info',
        'arguments sent as JSON instead of as text',
      );
    if (
      delta.index === undefined ||
      (delta.id !== undefined && slot.id !== undefined) ||
      (delta.name !== undefined && slot.name !== undefined)
    )
      this.misleads = true;
    if (delta.id !== undefined) {
      if (!this.#byId.has(delta.id)) this.#writer.hold(delta.id);
      slot.id = delta.id;
      this.#byId.set(delta.id, slot);
    }
    slot.name ??= delta.name;
    if (!slot.started && slot.extensions === undefined) {
      slot.extensions = keptMembers(delta.entry);
      if (slot.extensions !== undefined) this.#writer.hold(JSON.stringify(slot.extensions));
    }
    if (!slot.started && !slot.custom && slot.id !== undefined && slot.name !== undefined)
      this.#start(slot, slot.id, slot.name);
    this.#write(slot, delta.text);
    this.#touched.add(slot);
  }

  finish(end: 'whole' | 'cut' | 'perhaps', ids: CallIds): void {
    const losses = this.#losses;
    // Some servers write an end into every chunk.
    const asked = end === 'perhaps' ? inOrder(this.#touched) : [...this.#open];
    this.#touched.clear();
    for (const slot of asked) {
      if (end === 'perhaps' && !slot.custom && !isWhole(slot)) continue;
      slot.over = true;
      this.#open.delete(slot);
      if (slot.custom) {
        if (end !== 'cut') this.#giveForeign(slot);
        else
          losses.add('dropped', this.#pointerOf(slot.ordinal), 'warning', 'a custom call that was cut off');
        continue;
      }
      if (!slot.started && slot.name === undefined) {
        // Some servers announce a call and think better of it.
        const isNothing = slot.held === '' && slot.extensions === undefined;
        if (end !== 'cut' && !isNothing)
          throw new ModelError('model/stream-invalid', 'A call came without a name.');
        const detail =
          end === 'cut' ? 'a call that was cut off before its name' : 'a call that is nothing but an id';
        losses.add('dropped', this.#pointerOf(slot.ordinal), 'warning', detail);
        continue;
      }
      if (!slot.started && slot.name !== undefined) {
        const pointer = this.#pointerOf(slot.ordinal);
        losses.add('synthesised', `${pointer}/id`, 'info', 'a call without an id got one');
        const { callId } = ids.ofCall(undefined, { pointer, name: slot.name, text: slot.held });
        this.#start(slot, callId, slot.name);
      }
      if (end !== 'cut') this.#writer.closeCall(slot.place);
    }
  }

  /** Clients would begin a call with such a piece: it is told of, and never started unless something comes at its index. */
  #announce({ index }: CallDelta): void {
    const known = index === undefined ? undefined : this.#byIndex.get(index);
    if (known !== undefined) {
      // Its bytes are of that call all the same, and go where that goes.
      this.#writer.callBegun(known.place);
      return;
    }
    this.#announced ??= new Map();
    const place = this.#announced.get(index) ?? this.#writer.reserve();
    this.#announced.set(index, place);
    this.#writer.callBegun(place);
  }

  /** The place of a new call. What was announced is one call: the next at its index has a place of its own. */
  #placeOf({ index }: CallDelta): number {
    const place = index === undefined ? undefined : this.#announced?.get(index);
    if (place === undefined) return this.#writer.reserve();
    this.#announced?.delete(index);
    return place;
  }

  #create(delta: CallDelta): Slot {
    const slot: Slot = {
      place: this.#placeOf(delta),
      ordinal: this.#all.length,
      custom: delta.custom,
      balance: createJsonBalance(),
      unseen: [],
      id: undefined,
      name: undefined,
      extensions: undefined,
      held: '',
      started: false,
      over: false,
    };
    this.#all.push(slot);
    this.#open.add(slot);
    if (delta.index !== undefined) this.#byIndex.set(delta.index, slot);
    return slot;
  }

  #find(delta: CallDelta): Slot {
    const known = delta.id === undefined ? undefined : this.#byId.get(delta.id);
    if (delta.index !== undefined) {
      const current = this.#byIndex.get(delta.index);
      // An id that is known under another index and comes without a name is no second call.
      const resumed = known !== undefined && goesOn(known, delta) ? known : undefined;
      if (current === undefined) return resumed ?? this.#create(delta);
      return startsAnother(current, delta) ? (resumed ?? this.#create(delta)) : current;
    }
    if (known !== undefined) return known;
    const last = this.#all.at(-1);
    if (last === undefined || startsAnother(last, delta)) return this.#create(delta);
    if (this.#all.length > 1 && delta.id === undefined) throw ambiguous();
    return last;
  }

  #write(slot: Slot, text: string): void {
    if (slot.started) this.#writer.callDelta(slot.place, text);
    else {
      this.#writer.hold(text);
      slot.held += text;
      this.#writer.callBegun(slot.place);
    }
    if (text !== '') slot.unseen.push(text);
  }

  #start(slot: Slot, callId: string, name: string): void {
    slot.started = true;
    const { extensions } = slot;
    const start = extensions === undefined ? { callId, name } : { callId, name, extensions };
    this.#writer.openCall(slot.place, start);
    this.#writer.callDelta(slot.place, slot.held);
    slot.held = '';
  }

  #giveForeign({ id, name, held, place, ordinal }: Slot): void {
    const value = { id: id ?? `call_${ordinal}`, type: 'custom', custom: { name: name ?? '', input: held } };
    this.#writer.foreign(
      place,
      Object.freeze({ kind: 'foreign', protocol: CHAT, role: 'assistant', value: freezeJson(value) }),
    );
    this.foreignCalls += 1;
  }
}

/** Whether a delta that points at a call belongs to another one. @throws when both readings are possible. */
function startsAnother(current: Slot, { id, name }: CallDelta): boolean {
  if (id !== undefined && current.id !== undefined && id !== current.id) return true;
  if (name === undefined || current.name === undefined) return false;
  const sameId = id !== undefined && id === current.id;
  if (!sameId && isWhole(current)) return true;
  // Some servers repeat the name in every delta.
  if (name === current.name) return false;
  throw ambiguous();
}

/** Whether a delta with the id of a call is a further piece of it, wherever it stands. */
function goesOn(known: Slot, { name }: CallDelta): boolean {
  return name === undefined || (name === known.name && !isWhole(known));
}

function inOrder(slots: ReadonlySet<Slot>): readonly Slot[] {
  return [...slots].toSorted((one, other) => one.ordinal - other.ordinal);
}

function isWhole(slot: Slot): boolean {
  for (const piece of slot.unseen) slot.balance.push(piece);
  slot.unseen = [];
  return slot.balance.complete;
}

function ambiguous(): ModelError {
  return new ModelError('model/stream-invalid', 'A piece of a call may belong to more than one call.');
}
