import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { AnswerShape } from '../codec/answer-shape.ts';
import { mayAskClient } from '../codec/asks-client.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';
import { isUnnamed, trackCall } from './call-track.ts';
import { isClientCall } from './client-call.ts';
import { createEarlyPieces } from './early-pieces.ts';
import { trackForeign } from './foreign-track.ts';
import { eventReader, type ItemTrack, type TrackContext } from './item-track.ts';
import { trackMessage } from './message-track.ts';
import { trackReasoning } from './reasoning-track.ts';
import { RESPONSES } from './responses-protocol.ts';

/** The items of one streamed answer. */
export interface ItemTracks {
  /** Takes an event; false when it names no item. */
  take(type: string, event: JsonObject): boolean;
  /** Takes the output of the terminal event: adds items that no event named, and holds it against those that were. */
  settle(output: readonly JsonValue[]): void;
  shape(): AnswerShape;
}

interface Entry {
  readonly track: ItemTrack;
  readonly type: JsonValue | undefined;
  readonly ids: readonly string[];
  done: boolean;
}

/**
 * Follows the items by their ids, else by their place in the output. An item that is announced with ids of its own at the
 * place of an earlier one is another item, as is a final form at the place of one that is done.
 */
export function createItemTracks(context: TrackContext): ItemTracks {
  const byPlace = new Map<number, Entry>();
  /** The latest item that was begun at a place, for events that name no more than that. */
  const latest = new Map<number, Entry>();
  const byId = new Map<string, Entry>();
  const early = createEarlyPieces(context.writer);
  let clientCalls = 0;
  let refused = false;
  let nextPlace = 0;
  /** Items that were announced, of whatever kind. */
  let announced = 0;

  const trackOther = (announced: JsonObject): ItemTrack =>
    trackForeign(context, announced, (item) => {
      if (isClientCall(item)) clientCalls += 1;
    });

  const trackNamed = (item: JsonObject, pointer: string, wanted: number): ItemTrack => {
    const before = early.claim(item, wanted);
    const track = trackCall(context, item, pointer, before?.index);
    for (const { type, event } of before?.pieces ?? []) track.take(type, event);
    return track;
  };

  const begin = (item: JsonObject, wanted: number): Entry => {
    const place = byPlace.has(wanted) ? nextPlace : wanted;
    const pointer = `/output/${place}`;
    context.writer.hold(JSON.stringify(item));
    const type = memberOf(item, 'type');
    const track =
      type === 'message'
        ? trackMessage(context, item, pointer)
        : type === 'function_call'
          ? trackNamed(item, pointer, wanted)
          : type === 'reasoning'
            ? trackReasoning(context, item, pointer)
            : trackOther(item);
    const entry = { track, type, ids: idsOf(item), done: false };
    byPlace.set(place, entry);
    latest.set(wanted, entry);
    nextPlace = Math.max(nextPlace, place + 1);
    for (const id of entry.ids) byId.set(id, entry);
    return entry;
  };

  const finish = (entry: Entry, item: JsonObject): void => {
    if (entry.done) {
      // Clients take it for what it says, each time.
      entry.track.verify?.(item);
      return;
    }
    entry.done = true;
    entry.track.finish(item);
  };

  const find = (type: string, event: JsonObject): Entry | undefined => {
    const place = memberOf(event, 'output_index');
    const id = textOf(event, 'item_id');
    const named = id === undefined ? undefined : byId.get(id);
    const placed = typeof place === 'number' ? latest.get(place) : undefined;
    // Some clients go by the id and some by the place.
    if (ASKING_PIECE.test(type) && id !== undefined && place !== undefined && named !== placed)
      context.misled();
    // Some clients take a piece of a call for one of what stands at its place.
    if (named !== undefined && (named.type === 'function_call' || !CALL_PIECE.test(type))) return named;
    // What is done does not go on under another id: a piece that has one is of an item which nothing announced.
    const isPiece = type.endsWith('.delta') && placed?.done === true;
    return isPiece && isAnother({ id: id ?? null }, placed) ? undefined : placed;
  };

  /**
   * The entry of a final item: by either of its ids, else by its place, as some servers number anew at the end. What is of
   * another kind is another item, whatever its ids: a call is no text, and its output bears its id.
   */
  const match = (item: JsonObject, place: number, places: ReadonlyMap<number, Entry>): Entry | undefined => {
    const type = memberOf(item, 'type');
    for (const id of idsOf(item)) {
      const entry = byId.get(id);
      if (entry !== undefined && (type === undefined || entry.type === type)) return entry;
    }
    const placed = places.get(place);
    return placed?.type === type ? placed : undefined;
  };

  const placeOf = (event: JsonObject): number => {
    const place = memberOf(event, 'output_index');
    return typeof place === 'number' && Number.isSafeInteger(place) && place >= 0 ? place : byPlace.size;
  };

  const takeItem = (type: string, event: JsonObject): void => {
    const item = eventReader.object(memberOf(event, 'item'), '/item');
    const matched = match(item, placeOf(event), latest);
    const isNew = type === 'response.output_item.added';
    const another = matched !== undefined && (isNew || matched.done) && isAnother(item, matched);
    const known = another ? undefined : matched;
    const at = memberOf(event, 'output_index');
    // Some clients count the items, and some find them by their places.
    const misplaced = isNew ? at !== announced : at !== undefined && known !== latest.get(placeOf(event));
    if (misplaced && mayBeCall(memberOf(item, 'type'))) context.misled();
    if (isNew) announced += 1;
    if (isNew && known === undefined && isNameless(item)) {
      early.keepNameless(item, memberOf(event, 'output_index'));
      context.misled();
    } else if (isNew) {
      if (known !== undefined) eventReader.fail('/output_index', 'names an item that has begun');
      if (saysArguments(item)) context.misled();
      begin(item, placeOf(event));
    } else {
      finish(known ?? begin(item, placeOf(event)), item);
    }
  };

  return {
    take(type, event) {
      if (type === 'response.output_item.added' || type === 'response.output_item.done') {
        takeItem(type, event);
        return true;
      }
      const named = memberOf(event, 'output_index') !== undefined || memberOf(event, 'item_id') !== undefined;
      if (!named) return false;
      const entry = find(type, event) ?? beginUnannounced(type, event);
      if (entry === undefined) {
        const isPiece = CALL_PIECE.test(type);
        if (isPiece) early.keep(type, event);
        return isPiece;
      }
      if (type.startsWith('response.refusal.')) refused = true;
      if (entry.done) entry.track.takeLate?.(type, event);
      else entry.track.take(type, event);
      return true;
    },
    settle(output) {
      output.forEach((value, place) => {
        const item = eventReader.object(value, `/response/output/${place}`);
        const entry = match(item, place, byPlace);
        finish(entry ?? begin(item, place), item);
        if (holdsRefusal(item)) refused = true;
      });
      for (const entry of byPlace.values()) if (!entry.done) entry.track.leave?.();
      if (early.left) eventReader.fail('/output_index', 'names no call');
    },
    shape() {
      const { writer } = context;
      return { calls: writer.closedCalls + clientCalls > 0, openCalls: writer.hasOpenCall, refusal: refused };
    },
  };

  /** Text of a message that no event announced. A call without an announcement has no name yet: its pieces are kept. */
  function beginUnannounced(type: string, event: JsonObject): Entry | undefined {
    const id = textOf(event, 'item_id');
    const identity: JsonObject = id === undefined ? {} : { id };
    if (/^response\.(?:output_text|refusal|content_part)\./.test(type)) {
      return begin({ type: 'message', role: 'assistant', ...identity }, placeOf(event));
    }
    if (/^response\.reasoning_/.test(type)) return begin({ type: 'reasoning', ...identity }, placeOf(event));
    return undefined;
  }
}

/** Whether an item of this type is a call of the client's, or may be one. */
function mayBeCall(type: JsonValue | undefined): boolean {
  return type !== 'message' && type !== 'reasoning' && mayAskClient(RESPONSES, type);
}

/** Whether a call is announced with arguments. Some clients take them for the first piece, or for all of them. */
function saysArguments(item: JsonObject): boolean {
  const said = memberOf(item, 'arguments') ?? '';
  return memberOf(item, 'type') === 'function_call' && said !== '';
}

/** Whether a call is announced without the name of its tool or the id by which it is answered. */
function isNameless(item: JsonObject): boolean {
  return (
    memberOf(item, 'type') === 'function_call' &&
    (isUnnamed(item) || isPlaceholderId(memberOf(item, 'call_id')))
  );
}

const CALL_PIECE = /^response\.function_call_arguments\./;
/** Of all calls that are the client's. */
const ASKING_PIECE = /^response\.(?:function_call_arguments|custom_tool_call_input)\./;

/** The ids of an item that are some: its own, and that of the call. */
function idsOf(item: JsonObject): readonly string[] {
  return [textOf(item, 'id'), textOf(item, 'call_id')].flatMap((id) =>
    id === undefined || isPlaceholderId(id) ? [] : [id],
  );
}

/** Whether an item at the place of an earlier one has ids that say that it is not that one. */
function isAnother(item: JsonObject, { ids }: Entry): boolean {
  const own = idsOf(item);
  return own.length > 0 && ids.length > 0 && !own.some((id) => ids.includes(id));
}

function holdsRefusal(item: JsonObject): boolean {
  const content = memberOf(item, 'content');
  if (!Array.isArray(content)) return false;
  return content.some((part: JsonValue) => isJsonObject(part) && memberOf(part, 'type') === 'refusal');
}
