import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { ignoreLater } from './is-thenable.ts';

/** Tells whether an approver is waited for. Whatever the listener does, the call goes on. */
export function tellAsking(listener: ((asked: boolean) => void) | undefined, asked: boolean): void {
  try {
    ignoreLater(listener?.(asked));
  } catch (thrown) {
    ignoreThrown(thrown);
    // The listener's own affair, as with an observer.
  }
}
