import { isPlaceholderId, syntheticId } from '../codec/synthetic-id.ts';
import { createWaitingCalls } from './waiting-calls.ts';

/** Begins the ids that stand for calls to which the wire gave none. They are never written back to it. */
const PREFIX = 'gemini';

/** The line of all calls, for results that say no name: their order is all there is. */
const ANY = '';

const SYNTHETIC = /^gemini_[0-9a-f]{24}$/;

/** The call ids of one body while it is read. */
export interface CallIds {
  /** The id of a call; where the wire has none, one made of what is known of the call. */
  ofCall(id: unknown, name: string, text: string): string;
  /**
   * The id for a result: the call with that id; where it says none, the first unanswered call of that name, or of any
   * where the name is empty; where it says one that no call has, the first of those that came without an id.
   */
  ofResult(id: unknown, name: string): string | undefined;
  /** Says that the model speaks again: a result that says no id is of its last turn before it is of an earlier one. */
  nextTurn(): void;
}

/** Makes the book of one body; `seed` tells it from others, for example the id of the response. */
export function createCallIds(...seed: readonly (string | null)[]): CallIds {
  const given = new Set<string>();
  const answered = new Set<string>();
  const waiting = createWaitingCalls(answered);
  /** Those of them that came without an id. */
  const unnamed = createWaitingCalls(answered);
  let ordinal = 0;

  /** Some clients write the id of a call where the name of its tool belongs. */
  const namedById = (name: string): string | undefined => {
    if (!given.has(name) || answered.has(name)) return undefined;
    answered.add(name);
    return name;
  };

  return {
    ofCall(id, name, text) {
      ordinal += 1;
      const isGiven = typeof id === 'string' && !isPlaceholderId(id);
      const callId = isGiven ? id : syntheticId(PREFIX, ...seed, ordinal, name, text);
      waiting.add(name, callId);
      waiting.add(ANY, callId);
      if (isGiven) {
        given.add(callId);
        answered.delete(callId);
      } else {
        unnamed.add(name, callId);
        unnamed.add(ANY, callId);
      }
      return callId;
    },
    ofResult(id, name) {
      const isGiven = typeof id === 'string' && !isPlaceholderId(id);
      if (!isGiven) return waiting.take(name) ?? namedById(name);
      if (!given.has(id)) return unnamed.take(name);
      answered.add(id);
      return id;
    },
    nextTurn() {
      waiting.nextTurn();
      unnamed.nextTurn();
    },
  };
}

/** Whether an id was made here, so that the wire does not know it. */
export function isSyntheticId(callId: string): boolean {
  return SYNTHETIC.test(callId);
}
