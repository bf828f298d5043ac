import { isPlaceholderId, syntheticId } from '../codec/synthetic-id.ts';

/** The call ids of one body while it is read; ids that are missing on both sides are paired in order. */
export interface CallIds {
  /** The id of a call; where the wire has none, one of ours that is made of what is known of the call. */
  ofCall(id: unknown, call: SeenCall): { readonly callId: string; readonly synthesised: boolean };
  /** The id for a result without one: that of the first unanswered call without one, by name where the wire has it. */
  ofResult(name: string | undefined): string | undefined;
}

/** What an id is made of. A stream gives the pointer that the whole answer would have. */
export interface SeenCall {
  readonly pointer: string;
  readonly name: string;
  readonly text: string;
}

/** Makes the book of one body; `seed` tells it from others, for example the id of the response. */
export function createCallIds(...seed: readonly (string | number | null)[]): CallIds {
  /** Made for the first call without an id: most bodies have none. */
  let unanswered: Map<string, string> | undefined;
  return {
    ofCall(id, { pointer, name, text }) {
      if (typeof id === 'string' && !isPlaceholderId(id)) return { callId: id, synthesised: false };
      const callId = syntheticId('call', ...seed, pointer, name, text);
      unanswered ??= new Map();
      unanswered.set(callId, name);
      return { callId, synthesised: true };
    },
    ofResult(name) {
      for (const [callId, called] of unanswered ?? []) {
        if (name !== undefined && called !== name) continue;
        unanswered?.delete(callId);
        return callId;
      }
      return undefined;
    },
  };
}
