import type { ModelEvent } from '@toolgate/model';

/** One piece of an answer on its way to the client. */
export interface AnswerStep {
  readonly events: readonly ModelEvent[];
  /**
   * The provider's own bytes that say exactly these events, in the client's protocol; absent where there are none, or
   * the events were changed.
   */
  readonly raw?: readonly Uint8Array[];
  /** Whether bytes that say no event are certainly no call and no part of one. */
  readonly isAside?: boolean;
}
