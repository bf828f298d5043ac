/**
 * Code of a warning: what came belongs to a call whose start is still to be told, at the index of the warning. Whoever
 * passes a provider's own bytes on has to hold them back until the call is decided.
 */
export const CALL_BEGUN = 'call-begun';

/**
 * Code of a warning: what came holds calls that have no events, for example those of a second answer. Whoever passes a
 * provider's own bytes on would pass calls on that nobody has looked at.
 */
export const CALL_UNREAD = 'call-unread';
