import { isPlaceholderId, syntheticId } from '../codec/synthetic-id.ts';

/** Begins the ids that stand for calls to which the wire gave none. They are never written back to it. */
const PREFIX = 'gemini';

const SYNTHETIC = /^gemini_[0-9a-f]{24}$/;

/** The call ids of one body while it is read. */
export interface CallIds {
  /** The id of a call; where the wire has none, one made of what is known of the call. */
  ofCall(id: unknown, name: string, text: string): string;
  /** The id for a result: the call with that id, else the first unanswered call of that name that came without one. */
  ofResult(id: unknown, name: string): string | undefined;
}

/** Makes the book of one body; `seed` tells it from others, for example the id of the response. */
export function createCallIds(...seed: readonly (string | null)[]): CallIds {
  const given = new Set<string>();
  const unanswered = new Map<string, string[]>();
  let ordinal = 0;
  return {
    ofCall(id, name, text) {
      ordinal += 1;
      if (typeof id === 'string' && !isPlaceholderId(id)) {
        given.add(id);
        return id;
      }
      const callId = syntheticId(PREFIX, ...seed, ordinal, name, text);
      const waiting = unanswered.get(name);
      if (waiting === undefined) unanswered.set(name, [callId]);
      else waiting.push(callId);
      return callId;
    },
    ofResult(id, name) {
      if (typeof id === 'string' && given.has(id)) return id;
      return unanswered.get(name)?.shift();
    },
  };
}

/** Whether an id was made here, so that the wire does not know it. */
export function isSyntheticId(callId: string): boolean {
  return SYNTHETIC.test(callId);
}
