import type { Writable } from 'node:stream';

/** Where text goes. */
export interface TextSink {
  /** Whether a person looks at it: colours and a progress bar make sense. */
  readonly isTerminal: boolean;
  /** Characters in one line of the terminal; `undefined` where there is no terminal. */
  readonly columns: number | undefined;
  /**
   * Resolves when the text has left the process, so that a slow reader slows the command down.
   *
   * @throws CliError `cli/output-closed`, `cli/output-failed`
   */
  write(text: string): Promise<void>;
}

/** Everything that a command touches outside of itself. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Standard output for a protocol that is spoken on it. Absent: that of this process as it is. */
  readonly output?: Writable;
  /**
   * Asks the person at the terminal and gives the line that was typed; `undefined` when the input ended. Absent where
   * nobody can be asked.
   */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Aborted with a `CliError` when the command has to end: Ctrl-C, or a reader that went away. */
  readonly signal: AbortSignal;
  /** Takes SIGHUP, which otherwise ends the command, until the function that it gives back is called. */
  readonly onHangup?: (listener: () => void) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
