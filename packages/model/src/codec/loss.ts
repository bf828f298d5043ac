/** What happened to a field that could not be carried as it was. Closed. */
export type LossCode = 'dropped' | 'approximated' | 'relocated' | 'synthesised' | 'refused';

/** How much a loss matters: `info` keeps the meaning, `warning` changes it, `error` is unsafe and refused in strict mode. */
export type LossSeverity = 'info' | 'warning' | 'error';

/** One named field that a codec could not carry. Never silent, never with content. */
export interface Loss {
  readonly code: LossCode;
  /** Where in the neutral value or the source wire (RFC 6901), for example `/items/3/parts/0`. */
  readonly path: string;
  readonly severity: LossSeverity;
  /** A fixed phrase that says what and why, without values of the caller. */
  readonly detail: string;
}
