/**
 * Code of a warning: what came belongs to a call whose start is still to be told, at the index of the warning. Whoever
 * passes a provider's own bytes on has to hold them back until the call is decided.
 */
export const CALL_BEGUN = 'call-begun';

/**
 * Code of a warning: what came holds calls that have no events, for example those of a second answer. Whoever passes a
 * provider's own bytes on would pass calls on that nobody has looked at. The warning names them in its `calls`; pieces
 * of one call name it again, at the same place.
 */
export const CALL_UNREAD = 'call-unread';

/**
 * Code of a warning: a tool that the provider runs itself was announced, at the index of the warning. It may have had its
 * effects from here on, although what it did is told later, so that whoever asks again asks for them twice.
 */
export const RUN_BEGUN = 'run-begun';

/** A call that has no events, as far as it can be named. */
export interface UnreadCall {
  /** Where it stands, like a JSON Pointer into the whole answer; the same for all pieces of one call. */
  readonly place: string;
  /** Empty where this piece does not say it. */
  readonly callId: string;
  /** Empty where this piece does not say it. */
  readonly name: string;
}
