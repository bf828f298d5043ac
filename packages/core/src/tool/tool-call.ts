/**
 * An untrusted proposal to call a tool, as a model made it. Nothing in it has been checked.
 * `arguments` is the text the model wrote, not a parsed value: two parsers may disagree about one text,
 * and the contract that executes must be the one that reads.
 */
export interface ToolCall {
  /** The provider's id for this call; unique within one turn. */
  readonly id: string;
  /** The name the model asked for. */
  readonly name: string;
  /** Argument text as received. Blank text means no arguments and is read as `{}`. */
  readonly arguments: string;
  /**
   * `false` when the turn was cut off (length, filter, dead stream) before the provider finished this call.
   * Default `true`. An unfinished call is never executed.
   */
  readonly complete?: boolean;
}
