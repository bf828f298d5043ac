/** A control call that was captured whole. */
export interface CompletedCall {
  readonly toolCallId: string;
  /** As the model wrote it; that it is the control tool follows from the projection, never from this name. */
  readonly toolName: string;
  /** Argument text exactly as the model wrote it. */
  readonly argsJson: string;
}
