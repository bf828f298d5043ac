import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliIo } from '../terminal/cli-io.ts';
import { addAdminCommands } from './add-admin-commands.ts';
import { readCount } from './read-count.ts';

/** Declares `up`, `check` and the commands that ask a running gateway. What they need is loaded when they run. */
export function addGatewayCommands(program: Command, io: CliIo, done: (exitCode: number) => void): void {
  program
    .command('up')
    .description('run a gateway in front of model providers and MCP servers, until Ctrl-C')
    .argument(
      '[config]',
      '.yaml, .json or a module; without one: this machine, .toolgate, and the keys of the environment',
    )
    .option('--port <port>', 'instead of the one in the configuration; 0 for any free one', readPort)
    .addOption(
      new Option('--grace <ms>', 'how long requests in flight may take after a signal')
        .argParser(readCount)
        .default(10_000),
    )
    .action(async (file: string | undefined, _own: unknown, command: Command) => {
      const { upGateway } = await import('./up-command.ts');
      done(await upGateway(file, command.optsWithGlobals(), io));
    });

  program
    .command('check')
    .description('check the configuration of a gateway, without using it; exit code 1 when it cannot be used')
    .argument('<config>', '.yaml, .json or a module')
    .action(async (file: string, _own: unknown, command: Command) => {
      const { checkGatewayConfig } = await import('./check-command.ts');
      done(await checkGatewayConfig(file, command.optsWithGlobals(), io));
    });

  addAdminCommands(program, io, done);
}

function readPort(text: string): number {
  if (/^\d{1,5}$/u.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It is a number from 0 to 65535.');
}
