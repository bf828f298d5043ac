import { ignoreThrown } from '../internal/ignore-thrown.ts';

/** Who follows one signal, and the one listener on it. */
interface Following {
  readonly followers: Set<{ readonly onAbort: () => void }>;
  readonly tell: () => void;
}

/** By the signal itself: whoever has it has followed it through here. */
const followings = new WeakMap<AbortSignal, Following>();

/**
 * Has a function called once when a signal is aborted. All who follow one signal share a listener on it: a server gives the
 * signal of its own end to each of its runs, and runtimes take more than a few listeners for a leak, and say so. A reason that is a
 * promise, by a slip, is taken.
 *
 * @param signal - Not aborted yet; for one that is, nothing is called.
 * @param onAbort - Must not throw; whoever follows after it would not be told.
 * @returns Ends it, and never throws. The listener goes with the last one.
 * @throws What a signal of another realm throws when it is listened to; nobody follows it then.
 */
export function followSignal(signal: AbortSignal, onAbort: () => void): () => void {
  if (signal.aborted) {
    ignoreThrown(signal.reason);
    return () => {};
  }
  const following = followings.get(signal) ?? follow(signal);
  const follower = { onAbort };
  following.followers.add(follower);
  return () => {
    following.followers.delete(follower);
    if (following.followers.size > 0 || followings.get(signal) !== following) return;
    leave(signal, following);
  };
}

function follow(signal: AbortSignal): Following {
  const followers: Following['followers'] = new Set();
  const tell = (): void => {
    leave(signal, following);
    ignoreThrown(signal.reason);
    for (const follower of [...followers]) {
      // One that was told before may have ended it for another.
      if (followers.delete(follower)) follower.onAbort();
    }
  };
  const following = { followers, tell };
  signal.addEventListener('abort', tell);
  followings.set(signal, following);
  return following;
}

/** Who leaves is done, and mostly with something that has had an effect: a signal that cannot let go changes nothing of it. */
function leave(signal: AbortSignal, following: Following): void {
  if (followings.get(signal) === following) followings.delete(signal);
  try {
    signal.removeEventListener('abort', following.tell);
  } catch (thrown) {
    ignoreThrown(thrown);
    // The listener that stays has nobody to tell.
  }
}
