import { CommanderError } from 'commander';
import { toFailure } from './failure.ts';
import { createProgram } from './program.ts';
import type { CliIo } from './terminal/cli-io.ts';
import { jsonText } from './terminal/json-text.ts';
import { createPaint } from './terminal/paint.ts';
import { safeText } from './terminal/safe-text.ts';

/**
 * Runs one command of `toolgate`. Never rejects.
 *
 * @param argv - What stands behind the command's name.
 * @returns The exit code: 0 good, 1 a finding or an error, 2 a command line that cannot be understood, 128 and the
 * number of the signal when one ended the command (130 for Ctrl-C, 141 when the reader of the output went away).
 */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  const { program, exitCode, help } = createProgram(io);
  try {
    await program.parseAsync(argv, { from: 'user' });
    io.signal.throwIfAborted();
    return exitCode();
  } catch (error) {
    // Help and version come as an error too; without a command the help is the error.
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
      const good = error.exitCode === 0;
      await (good ? io.stdout : io.stderr).write(help()).catch(() => undefined);
      return good ? 0 : 2;
    }
    const failure = toFailure(error, io.signal);
    if (!failure.quiet) await report(failure, argv, io);
    return failure.exitCode;
  }
}

async function report(
  { code, message, stack }: ReturnType<typeof toFailure>,
  argv: readonly string[],
  io: CliIo,
): Promise<void> {
  const paint = createPaint(io.stderr, io.env);
  const line = argv.includes('--json')
    ? jsonText({ error: { code, message } })
    : `${paint('bad', 'toolgate:')} ${safeText(message, 1_000)} ${paint('quiet', `(${code})`)}`;
  const trace = argv.includes('--debug') && stack !== undefined ? `${stack}\n` : '';
  // Nothing is left to tell where even this fails.
  await io.stderr.write(`${line}\n${trace}`).catch(() => undefined);
}
