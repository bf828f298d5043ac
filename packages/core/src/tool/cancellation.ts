import type { CallContext } from './tool.ts';

/** Whether the caller no longer wants the call; does not make a signal that nobody needs. */
export function isCancelled(call: CallContext): boolean {
  return call.cancelled ?? call.signal.aborted;
}

/** @throws The reason of the signal, when the call is cancelled. */
export function throwIfCancelled(call: CallContext): void {
  if (isCancelled(call)) throw call.signal.reason;
}

/** Whether something that was thrown is this call's own cancellation: the reason, or an error caused by it. */
export function isOwnCancellation(call: CallContext, thrown: unknown): boolean {
  if (!isCancelled(call)) return false;
  const reason: unknown = call.signal.reason;
  if (thrown === reason) return true;
  try {
    return thrown instanceof Error && thrown.name === 'AbortError' && thrown.cause === reason;
  } catch {
    return false;
  }
}
