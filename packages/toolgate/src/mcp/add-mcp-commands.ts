import { type Command, Option } from 'commander';
import { APPROVE_RULES } from '../run/run-plan.ts';
import type { CliIo } from '../terminal/cli-io.ts';

const NONE: readonly string[] = Object.freeze([]);

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

const CONFIG =
  'JSON with "mcpServers", as editors have it, or "servers" as in VS Code; that of a gateway; - for standard input';

/** Declares `mcp inspect`, `lock`, `diff` and `serve`. What they need is loaded when they run. */
export function addMcpCommands(program: Command, io: CliIo, done: (exitCode: number) => void): void {
  const mcp = program.command('mcp').description('look at MCP servers');
  mcp
    .command('inspect')
    .description('connect to a server and report on its tools; nothing is called')
    .usage('[options] <command… | url | config>')
    .argument('<server...>', 'a command and its arguments, an address, or the file of a configuration')
    .option('--details', 'every note, pattern and reason', false)
    .option('--env <variable>', 'NAME or NAME=VALUE for a command; may be repeated', collect, NONE)
    .option('--header <header>', '"Name: value" for an address; may be repeated', collect, NONE)
    // What is not ours belongs to the command; behind -- everything does.
    .allowUnknownOption()
    .action(async (words: readonly string[], _own: unknown, command: Command) => {
      const { inspectMcp } = await import('./mcp-inspect-command.ts');
      done(await inspectMcp(words, command.optsWithGlobals(), io));
    });

  program
    .command('lock')
    .description('review the tools of MCP servers, one by one, and write what you accept to the lock file')
    .argument('<config>', CONFIG)
    .option(
      '--yes',
      'accept all that is new, changed or gone, but nothing that hides something from you',
      false,
    )
    .action(async (file: string, _own: unknown, command: Command) => {
      const { lockConfig } = await import('./lock-command.ts');
      done(await lockConfig(file, command.optsWithGlobals(), io));
    });

  program
    .command('diff')
    .description('show how the tools of MCP servers differ from what was reviewed; exit code 1 when they do')
    .argument('<config>', CONFIG)
    .action(async (file: string, _own: unknown, command: Command) => {
      const { diffConfig } = await import('./diff-command.ts');
      done(await diffConfig(file, command.optsWithGlobals(), io));
    });

  program
    .command('serve')
    .description('serve tools over MCP: to one client on standard input and output, or over HTTP')
    .option('--mcp <module>', 'a module that exports "tools"; may be repeated', collect, NONE)
    .option('--http <address>', 'listen on HOST:PORT; clients send the token of TOOLGATE_SERVE_TOKEN')
    .option(
      '--allowed-host <name>',
      'a name under which the server is reached; may be repeated',
      collect,
      NONE,
    )
    .option('--anonymous', 'no token: everybody on this machine is let in', false)
    .addOption(
      new Option('--approve <rule>', 'which calls need a yes: all, all but reads, or none')
        .choices(APPROVE_RULES)
        .default('changes'),
    )
    .option('--ask-client', 'put the question to the person at the client instead of you', false)
    .option(
      '--allow <name>',
      'a tool that may be used; may be repeated; needed for privileged tools',
      collect,
      NONE,
    )
    .option('--deny <name>', 'a tool that may not be used; may be repeated', collect, NONE)
    .action(async (_own: unknown, command: Command) => {
      const { serveTools } = await import('./serve-command.ts');
      done(await serveTools(command.optsWithGlobals(), io));
    });
}
