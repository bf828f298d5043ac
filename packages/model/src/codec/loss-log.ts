import type { Loss, LossCode, LossSeverity } from './loss.ts';

/** Collects the losses of one translation. */
export interface LossLog {
  add(code: LossCode, path: string, severity: LossSeverity, detail: string): void;
  /** All losses so far, in the order in which they were found; the same list each time. */
  readonly losses: readonly Loss[];
}

/** Makes an empty log for one translation. */
export function createLossLog(): LossLog {
  const losses: Loss[] = [];
  return {
    losses,
    add(code, path, severity, detail) {
      losses.push(Object.freeze({ code, path, severity, detail }));
    },
  };
}
