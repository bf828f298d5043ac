/** What may be done to a call on its way. */
export interface CallChanges {
  /** A reviewer changed the arguments. */
  readonly edited: boolean;
  /** The arguments as proposed, when a repair changed them. */
  readonly repairedFrom: string | undefined;
  /** Secrets that were replaced in what the model gets. */
  readonly redactions: number;
  /** Halves of surrogate pairs that were replaced in what the tool gave. */
  readonly mended: number;
}

/** Of most calls. */
export const UNCHANGED: CallChanges = Object.freeze({
  edited: false,
  repairedFrom: undefined,
  redactions: 0,
  mended: 0,
});
