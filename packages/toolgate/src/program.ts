import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addGatewayCommands } from './gateway/add-gateway-commands.ts';
import { addMcpCommands } from './mcp/add-mcp-commands.ts';
import { APPROVE_RULES } from './run/run-plan.ts';
import type { CliIo } from './terminal/cli-io.ts';

/** Bytes of one line of cases, where nothing else is said: 16 MiB. */
const MAX_LINE_BYTES = 16_777_216;

/** The commands, and what came of the one that ran. */
export interface Program {
  readonly program: Command;
  readonly exitCode: () => number;
  /** The help or the version, where that was asked for. */
  readonly help: () => string;
}

/** Declares the commands. What one of them needs is loaded when it runs. */
export function createProgram(io: CliIo): Program {
  let exitCode = 0;
  let help = '';
  const done = (code: number): void => {
    exitCode = code;
  };
  const program = new Command('toolgate')
    .description('The trust boundary between language models and code.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print JSON instead of text', false)
    .option('--debug', 'print the stack of an error', false)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      // Without a command the help is written here. An error is written by who catches it.
      writeErr: (text) => {
        help += text;
      },
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getOutHasColors: () => false,
    })
    .exitOverride();

  program
    .command('inspect')
    .description(
      'report on tool definitions: contract digest, intake, patterns, how each provider takes them',
    )
    .argument(
      '<file>',
      'JSON (MCP, OpenAI or Anthropic), a module that exports "tools", or - for standard input',
    )
    .option('--details', 'every note, pattern and reason', false)
    .option('--strict', 'refuse schema forms of other drafts instead of noting them', false)
    .action(async (file: string, _own: unknown, command: Command) => {
      const { inspect } = await import('./inspect/inspect-command.ts');
      done(await inspect(file, command.optsWithGlobals(), io));
    });

  program
    .command('call')
    .description(
      'prepare one call: print the digest of the invocation, or why it is refused; nothing is executed',
    )
    .argument('<definitions>', 'as for inspect')
    .argument('<name>', 'the name of the tool, as written in the definitions')
    .requiredOption('--args <text>', 'the arguments: JSON text, @file, or - for standard input')
    .option('--id <id>', 'the id of the call', 'call-1')
    .action(async (file: string, name: string, _own: unknown, command: Command) => {
      const { prepareCall } = await import('./call/call-command.ts');
      done(await prepareCall(file, name, command.optsWithGlobals(), io));
    });

  program
    .command('verify-calls')
    .description('check recorded calls, one case a line, against the contracts of their tools')
    .argument(
      '<cases>',
      'JSON lines of { id, tools, calls: [{ name, arguments, valid }] }, or - for standard input',
    )
    .option('--max-line-bytes <bytes>', 'bytes of one line', readBytes, MAX_LINE_BYTES)
    .action(async (file: string, _own: unknown, command: Command) => {
      const { verifyCalls } = await import('./verify/verify-calls-command.ts');
      done(await verifyCalls(file, command.optsWithGlobals(), io));
    });

  program
    .command('run')
    .description(
      'run an agent in the terminal: it streams its answer, and asks before a tool changes something',
    )
    .argument('<prompt>', 'the question, or - for standard input')
    .requiredOption(
      '--model <model>',
      'openai:NAME, openai-responses:NAME, anthropic:NAME, gemini:NAME, http://HOST/v1#NAME, scripted:FILE.json',
    )
    .option('--tools <module>', 'a module that exports "tools"; may be repeated', collect, NONE)
    .option(
      '--mcp <config>',
      'a configuration of MCP servers whose tools are used; may be repeated',
      collect,
      NONE,
    )
    .option('--instructions <text>', 'the system text, or @file')
    .addOption(
      new Option('--approve <rule>', 'which calls are put to you: all, all but reads, or none')
        .choices(APPROVE_RULES)
        .default('changes'),
    )
    .option(
      '--allow <name>',
      'a tool that may be used; may be repeated; needed for privileged tools',
      collect,
      NONE,
    )
    .option('--deny <name>', 'a tool that may not be used; may be repeated', collect, NONE)
    .option('--max-turns <count>', 'turns of the model', readTurns, 16)
    .option('--state <file>', 'where the run is saved when it has to wait for a decision')
    .action(async (prompt: string, _own: unknown, command: Command) => {
      const { runAgent } = await import('./run/run-command.ts');
      done(await runAgent(prompt, command.optsWithGlobals(), io));
    });

  program
    .command('resume')
    .description('go on with a run that was saved')
    .argument('<file>', 'what --state of run named')
    .option('--decisions <json>', 'a JSON array of decisions, @file, or -; without it you are asked')
    .action(async (file: string, _own: unknown, command: Command) => {
      const { resumeAgent } = await import('./run/resume-command.ts');
      done(await resumeAgent(file, command.optsWithGlobals(), io));
    });

  addMcpCommands(program, io, done);
  addGatewayCommands(program, io, done);

  return { program, exitCode: () => exitCode, help: () => help };
}

const NONE: readonly string[] = Object.freeze([]);

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function readTurns(text: string): number {
  const turns = Number(text);
  if (/^[1-9][0-9]{0,5}$/u.test(text)) return turns;
  throw new InvalidArgumentError('It is a whole number from 1.');
}

function readBytes(text: string): number {
  const bytes = Number(text);
  if (/^[1-9][0-9]*$/u.test(text) && Number.isSafeInteger(bytes) && bytes <= 1_073_741_824) return bytes;
  throw new InvalidArgumentError('It is a whole number of bytes, at most 1073741824.');
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return String((manifest as { readonly version: string }).version);
}
