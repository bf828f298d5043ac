import type { LoopState } from '../state/loop-state.ts';
import type { StopReason } from '../stop-reason.ts';
import type { FailureData } from './loop-rules.ts';

/** How a loop ended, as plain JSON. */
export interface LoopEnd {
  readonly stopReason: StopReason;
  readonly state: LoopState;
  readonly failure?: FailureData;
}
