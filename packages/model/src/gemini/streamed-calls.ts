import { isJsonObject, type JsonObject } from '@toolgate/core';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts';

/** Calls that may be open at the same time. */
const MAX_OPEN = 128;

/** The calls of one answer whose arguments come in pieces. */
export interface StreamedCalls {
  /**
   * Takes a part with a call.
   *
   * @returns The part of a whole call: this one, or the one that it ends with its place; `undefined` for a piece.
   */
  take(part: JsonObject, call: JsonObject, pointer: string): WholeCallPart | undefined;
  /** The calls that were not ended, as far as they are known. */
  open(): readonly WholeCallPart[];
}

/** A part with a whole call. */
export interface WholeCallPart {
  readonly part: JsonObject;
  /** The place that was kept for it; `undefined` for a part that came whole. */
  readonly index?: number;
}

interface OpenCall {
  readonly index: number;
  readonly id: string | undefined;
  readonly name: string;
  readonly part: JsonObject;
  readonly call: JsonObject;
  readonly args: PartialArguments;
  signature: string | undefined;
}

/**
 * Makes the book of one answer. A call comes in pieces when its first part says so; parts without a name go on with the
 * call of their id, else with the only open one, and the first part that does not continue ends it. A call that is not
 * ended is no call.
 *
 * @param reserve - Keeps the next place of the answer.
 * @param begun - Learns of each piece of a call that is not told yet.
 */
export function createStreamedCalls(
  reader: WireReader,
  reserve: () => number,
  begun: (index: number) => void,
): StreamedCalls {
  let calls: OpenCall[] = [];
  let ended = false;

  const begin = (part: JsonObject, call: JsonObject, name: string, pointer: string): OpenCall => {
    if (calls.length >= MAX_OPEN) reader.fail(pointer, 'is one open call too many');
    const opened: OpenCall = {
      index: reserve(),
      id: idOf(call),
      name,
      part,
      call,
      args: createPartialArguments(reader),
      signature: undefined,
    };
    calls.push(opened);
    return opened;
  };

  const find = (call: JsonObject, pointer: string): OpenCall => {
    const id = idOf(call);
    const named = id === undefined ? undefined : calls.find((one) => one.id === id);
    if (named !== undefined) return named;
    const [only, ...others] = calls;
    if (only === undefined || (id !== undefined && only.id !== undefined))
      return reader.fail(pointer, 'goes on with a call that did not begin');
    return others.length === 0 ? only : reader.fail(pointer, 'may belong to more than one call');
  };

  return {
    take(part, call, pointer) {
      const place = `${pointer}/functionCall`;
      // The mark of an end, behind a last piece that said so itself.
      if (ended && calls.length === 0 && Object.keys(call).length === 0) return undefined;
      const name = textOf(call, 'name') ?? '';
      const pieces = reader.optional('array', memberOf(call, 'partialArgs'), `${place}/partialArgs`);
      const continues = memberOf(call, 'willContinue') === true;
      const inPieces = continues || (pieces !== undefined && pieces !== null);
      const known = calls.find((one) => one.name === name && one.id !== undefined && one.id === idOf(call));
      if (known === undefined && !inPieces && (name !== '' || calls.length === 0)) return { part };
      const args = memberOf(call, 'args');
      if (isJsonObject(args) && Object.keys(args).length > 0)
        return reader.fail(`${place}/args`, 'stand beside arguments in pieces');
      const open = known ?? (name === '' ? find(call, place) : begin(part, call, name, place));
      open.signature ??= textOf(part, 'thoughtSignature');
      const goesOn = open.args.add(pieces ?? [], `${place}/partialArgs`);
      if (continues || goesOn) {
        begun(open.index);
        return undefined;
      }
      calls = calls.filter((one) => one !== open);
      ended = true;
      return whole(open);
    },
    open: () => calls.map(whole),
  };
}

function idOf(call: JsonObject): string | undefined {
  const id = textOf(call, 'id');
  return isPlaceholderId(id) ? undefined : id;
}

/** The part as the wire would have it in one piece. */
function whole({ index, part, call, args, signature }: OpenCall): WholeCallPart {
  const { partialArgs: _pieces, willContinue: _continues, ...rest } = call;
  return {
    index,
    part: {
      ...part,
      functionCall: { ...rest, args: args.value() },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    },
  };
}
