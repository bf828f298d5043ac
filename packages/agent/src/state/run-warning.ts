/** Something about a run that its operator should see and that did not stop it. Safe to log. */
export interface RunWarning {
  readonly turn: number;
  /** For example `call-like-text`, or the code of a loss. */
  readonly code: string;
  readonly detail: string;
}

/** Warnings that a run keeps; the events carry all of them. */
export const MAX_WARNINGS = 100;
