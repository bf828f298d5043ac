/** Why an attempt has no valid control call although the model made one. Free of content. */
export const CAPTURE_REASONS = [
  'control_call_id_invalid',
  'control_call_duplicate_start',
  'control_call_multiple_calls',
  'control_call_before_start',
  'control_call_name_conflict',
  'control_call_args_after_finish',
  'control_call_duplicate_finish',
  'control_call_args_overflow',
  'control_call_args_malformed',
  'control_call_malformed_item',
  'control_call_result_observed',
  'control_call_unterminated',
] as const;

/** A reason of {@link CAPTURE_REASONS}. */
export type CaptureReason = (typeof CAPTURE_REASONS)[number];

/**
 * Where a capture stands. `open`: a control call has begun. `completed`: exactly one came whole. `failed`: with a
 * reason; nothing makes it valid again. `fatal`: calls can be told apart no more, the attempt must be aborted.
 * `released`: over.
 */
export type CaptureState = 'idle' | 'open' | 'completed' | 'failed' | 'fatal' | 'released';
