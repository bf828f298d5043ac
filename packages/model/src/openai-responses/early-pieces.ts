import type { JsonObject, JsonValue } from '@toolgate/core';
import { BLOCK_COST } from '../codec/block-cost.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';

/** An event of a call that nothing announced: its type, and the members that say something of the arguments. */
export interface EarlyPiece {
  readonly type: string;
  readonly event: JsonObject;
}

/** What came of one call before it was announced. */
export interface EarlyCall {
  /** The index that was reserved for it. */
  readonly index: number;
  readonly pieces: readonly EarlyPiece[];
}

/** Pieces of calls that come before the event that names the call; some servers send nothing but its final form. */
export interface EarlyPieces {
  keep(type: string, event: JsonObject): void;
  /** Keeps an announcement that does not say which call it is of, or of which tool. */
  keepNameless(item: JsonObject, place: JsonValue | undefined): void;
  /** Takes what came of an item: what has its id, else what came at its place. */
  claim(item: JsonObject, place: number): EarlyCall | undefined;
  /** Whether something was kept that nobody claimed. */
  readonly left: boolean;
}

interface Kept {
  readonly id: string | undefined;
  readonly place: number | undefined;
  readonly index: number;
  readonly pieces: EarlyPiece[];
}

const SAYING = ['delta', 'arguments'] as const;

/** Makes the book of one answer. What is kept counts as text of the answer, so that its bound holds. */
export function createEarlyPieces(writer: ResponseWriter): EarlyPieces {
  const byId = new Map<string, Kept>();
  const byPlace = new Map<number, Kept>();
  let unclaimed = 0;

  const begin = (id: string | undefined, place: number | undefined): Kept => {
    writer.hold(BLOCK_COST);
    const call: Kept = { id, place, index: writer.reserve(), pieces: [] };
    if (id !== undefined) byId.set(id, call);
    if (place !== undefined) byPlace.set(place, call);
    unclaimed += 1;
    writer.callBegun(call.index);
    return call;
  };

  const find = (id: string | undefined, place: number | undefined): Kept | undefined => {
    const named = id === undefined ? undefined : byId.get(id);
    return named ?? (place === undefined ? undefined : byPlace.get(place));
  };

  const callOf = (id: string | undefined, place: JsonValue | undefined): Kept => {
    const at = typeof place === 'number' ? place : undefined;
    const found = find(id, at);
    // Two ids at one place are two calls, of which neither gets what is said of the other.
    const another = id !== undefined && found?.id !== undefined && found.id !== id;
    return found === undefined || another ? begin(id, at) : found;
  };

  const add = (call: Kept, type: string, event: JsonObject): void => {
    writer.hold(JSON.stringify(event));
    call.pieces.push({ type, event });
  };

  return {
    keep(type, event) {
      const call = callOf(textOf(event, 'item_id'), memberOf(event, 'output_index'));
      const members: [string, JsonObject[string]][] = SAYING.flatMap((name) => {
        const value = memberOf(event, name);
        return value === undefined ? [] : [[name, value]];
      });
      add(call, type, Object.fromEntries(members));
    },
    keepNameless(item, place) {
      const call = callOf(textOf(item, 'id'), place);
      const said = memberOf(item, 'arguments') ?? '';
      if (said !== '') add(call, 'response.function_call_arguments.done', { arguments: said });
    },
    claim(item, place) {
      const call = find(textOf(item, 'id'), place);
      if (call === undefined) return undefined;
      unclaimed -= 1;
      if (call.id !== undefined) byId.delete(call.id);
      if (call.place !== undefined && byPlace.get(call.place) === call) byPlace.delete(call.place);
      return call;
    },
    get left() {
      return unclaimed > 0;
    },
  };
}
