import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { CliError } from '../cli-error.ts';
import type { CliIo, TextSink } from './cli-io.ts';
import { ownStdout } from './own-stdout.ts';

/** Exit codes of Unix for an end by a signal: 128 and its number. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const SIGPIPE_EXIT = 141;

/**
 * The streams and signals of this process. The first signal lets the command end by itself, a second one ends the
 * process at once.
 */
export function createProcessIo(): CliIo {
  const controller = new AbortController();
  const hangups = new Set<() => void>();
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && hangups.size > 0) {
        for (const listener of hangups) listener();
        return;
      }
      if (controller.signal.aborted) process.exit(exitCode);
      controller.abort(new CliError('cli/interrupted', `Ended by ${signal}.`, { exitCode }));
    });
  }
  // A pending read would otherwise wait for input that nobody needs any more.
  controller.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  const output = ownStdout();
  return {
    stdin: process.stdin,
    stdout: toSink(output, process.stdout, controller),
    // Nobody who closed the stream for errors wants the command to end for it.
    stderr: toSink(process.stderr, process.stderr, undefined),
    output,
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true ? { ask } : {}),
    env: process.env,
    cwd: process.cwd(),
    signal: controller.signal,
    onHangup: (listener) => {
      hangups.add(listener);
      return () => hangups.delete(listener);
    },
    now: Date.now,
  };
}

/** Asks on the stream of errors, so that the output can go elsewhere. */
async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  // While a line is read the terminal gives Ctrl-C to us; it means the process, not this question.
  line.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const ended = new Promise<undefined>((resolve) => line.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([line.question(question, { signal }), ended]);
  } finally {
    line.close();
  }
}

function toSink(
  stream: Writable,
  terminal: { readonly isTTY?: boolean; readonly columns?: number },
  controller: AbortController | undefined,
): TextSink {
  stream.on('error', (cause) => controller?.abort(toFault(cause)));
  return {
    isTerminal: terminal.isTTY === true,
    get columns() {
      return terminal.isTTY === true ? terminal.columns : undefined;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (cause) => {
          if (cause === null || cause === undefined || controller === undefined) resolve();
          else reject(toFault(cause));
        });
      }),
  };
}

function toFault(cause: Error & { readonly code?: string }): CliError {
  if (cause.code === 'EPIPE' || cause.code === 'ERR_STREAM_DESTROYED') {
    return new CliError('cli/output-closed', 'The reader of the output went away.', {
      cause,
      exitCode: SIGPIPE_EXIT,
    });
  }
  return new CliError('cli/output-failed', `The output cannot be written (${cause.code ?? 'unknown'}).`, {
    cause,
  });
}
