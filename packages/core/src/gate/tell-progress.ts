import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ToolProgress } from '../tool/tool.ts';
import { ignoreLater } from './is-thenable.ts';

/** Hands a report to whoever asked for it, as a copy without what a report has not. A throw does not reach the handler. */
export function tellProgress(
  listener: (update: ToolProgress) => void,
  { progress, total, message }: ToolProgress,
): void {
  try {
    const told: unknown = listener(
      Object.freeze({
        progress,
        ...(Number.isFinite(total) && total !== undefined ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      }),
    );
    ignoreLater(told);
  } catch (thrown) {
    ignoreThrown(thrown);
    // The listener's own affair, as with an observer.
  }
}
