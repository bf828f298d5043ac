import type { Clock } from '@toolgate/core';

/** What the behaviours of one running case share. */
export interface Stage {
  readonly clock: Clock;
  /** Settles when the case is over; whatever waits without end waits for this. */
  readonly released: Promise<void>;
  /** Cancels the run. */
  readonly cancel: () => void;
}

/** Settles after that time on the stage's clock. */
export function pause(stage: Stage, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    stage.clock.setTimer(resolve, delayMs);
  });
}
