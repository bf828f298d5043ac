import { CommanderError } from 'commander';
import { CliError } from './cli-error.ts';

/** Why a command ended early, for the person at the terminal. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  /** For `--debug` only. */
  readonly stack: string | undefined;
  /** Who ended the command knows why. */
  readonly quiet: boolean;
}

/** Turns whatever ended a command into one line, a code and an exit code. */
export function toFailure(error: unknown, signal: AbortSignal): Failure {
  // Whatever a cancelled command threw on its way out, the signal is why.
  const cause: unknown = signal.aborted ? signal.reason : error;
  const stack = cause instanceof Error ? cause.stack : undefined;
  if (CliError.is(cause)) {
    const quiet = cause.code === 'cli/interrupted' || cause.code === 'cli/output-closed';
    return { exitCode: cause.exitCode, code: cause.code, message: cause.message, stack, quiet };
  }
  if (cause instanceof CommanderError) {
    const message = `${sentence(cause.message.replace(/^error: /u, ''))} Run "toolgate --help" for the commands.`;
    return { exitCode: 2, code: 'cli/usage', message, stack, quiet: false };
  }
  if (isCoded(cause)) {
    return {
      exitCode: 1,
      code: cause.code,
      message: `${sentence(cause.message)}${placeOf(cause)}`,
      stack,
      quiet: false,
    };
  }
  const message = cause instanceof Error ? cause.message : 'Something that is no error was thrown.';
  return {
    exitCode: 1,
    code: 'cli/defect',
    message: `This should not happen: ${message}`,
    stack,
    quiet: false,
  };
}

/** An error class of one of the packages: its message is safe, and its code is in the tables of the documents. */
function isCoded(error: unknown): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[a-z]+\/[a-z0-9-]+$/u.test(error.code)
  );
}

/** Where in a file the fault is, unless the message says so already. */
function placeOf(error: Error & { readonly pointer?: unknown }): string {
  const { pointer } = error;
  if (error.name !== 'McpError' || typeof pointer !== 'string' || pointer === '') return '';
  return ` At ${pointer.slice(0, 300)}.`;
}

function sentence(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/gu, ' ');
  const first = line.slice(0, 1).toUpperCase();
  return `${first}${line.slice(1)}${/[.?!)]$/u.test(line) ? '' : '.'}`;
}
