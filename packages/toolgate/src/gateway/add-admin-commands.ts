import { type Command, Option } from 'commander';
import type { CliIo } from '../terminal/cli-io.ts';
import { readAmount, readCount } from './read-count.ts';

const NONE: readonly string[] = Object.freeze([]);
const STATUSES = ['pending', 'approved', 'declined', 'expired', 'cancelled', 'all'] as const;
const SURFACES = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'models',
  'mcp',
  'admin',
] as const;
const LIMIT = 50;

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Declares a command that asks the admin API of a gateway. */
function asks(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option(
      '--url <url>',
      'the gateway; default: TOOLGATE_URL, the one of this folder, or http://127.0.0.1:8787',
    )
    .option('--insecure', 'send the key over a network in clear', false);
}

/** Declares `reload`, `keys`, `approvals`, `calls`, `traffic` and `audit`. */
export function addAdminCommands(program: Command, io: CliIo, done: (exitCode: number) => void): void {
  asks(
    program,
    'reload',
    'let a gateway read its configuration again; exit code 1 when it refuses the new one',
  ).action(async (_own: unknown, command: Command) => {
    const { reloadGateway } = await import('./reload-command.ts');
    done(await reloadGateway(command.optsWithGlobals(), io));
  });
  addKeys(program.command('keys').description('keys of a running gateway'), io, done);
  addApprovals(program.command('approvals').description('calls that wait for a decision'), io, done);
  addCalls(program.command('calls').description('tool calls that came by'), io, done);
  addTraffic(program.command('traffic').description('requests that came by'), io, done);
  addAudit(program.command('audit').description('the record of every decision'), io, done);
}

function addKeys(keys: Command, io: CliIo, done: (exitCode: number) => void): void {
  const load = () => import('./keys-command.ts');
  asks(keys, 'create', 'make a key; what is not granted is not allowed')
    .argument('<principal>', 'who holds it')
    .addOption(
      new Option('--tools <rule>', 'tools that nothing else names')
        .choices(['allow', 'deny'])
        .default('deny'),
    )
    .option('--allow <tool>', 'a tool that may be used; may be repeated', collect, NONE)
    .option('--deny <tool>', 'a tool that may not be used; may be repeated', collect, NONE)
    .option('--route <route>', 'a route that may be used; may be repeated; default: all', collect, NONE)
    .option(
      '--server <server>',
      'an MCP server that may be used, or all; may be repeated; default: none',
      collect,
      NONE,
    )
    .option('--per-minute <count>', 'requests in a minute', readAmount)
    .option('--concurrency <count>', 'requests at once', readAmount)
    .option('--admin', 'may use the admin API', false)
    .action(async (principal: string, _own: unknown, command: Command) => {
      done(await (await load()).createKey(principal, command.optsWithGlobals(), io));
    });
  asks(keys, 'list', 'list the keys, without the keys themselves').action(
    async (_own: unknown, command: Command) => {
      done(await (await load()).listKeys(command.optsWithGlobals(), io));
    },
  );
  asks(keys, 'show', 'show what a key grants, who made or revoked it, and when it was used last')
    .argument('<id>', 'as "keys list" shows it, or a principal for all of its keys')
    .action(async (id: string, _own: unknown, command: Command) => {
      const { showKey } = await import('./show-key-command.ts');
      done(await showKey(id, command.optsWithGlobals(), io));
    });
  asks(keys, 'revoke', 'end a key')
    .argument('<id>', 'as "keys list" shows it')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).revokeKey(id, command.optsWithGlobals(), io));
    });
}

function addApprovals(approvals: Command, io: CliIo, done: (exitCode: number) => void): void {
  const load = () => import('./approvals-command.ts');
  asks(approvals, 'list', 'list approvals, newest first')
    .addOption(new Option('--status <status>', 'where they stand').choices(STATUSES).default('pending'))
    .option('--tool <tool>', 'of this tool')
    .option('--principal <principal>', 'of this principal')
    .option('--place <place>', 'of this route or server')
    .option('--limit <count>', 'how many', readAmount, LIMIT)
    .option('--arguments', 'with their arguments; each look is in the audit', false)
    .action(async (_own: unknown, command: Command) => {
      done(await (await load()).listApprovals(command.optsWithGlobals(), io));
    });
  asks(approvals, 'show', 'show one with its exact arguments')
    .argument('<id>')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).showApproval(id, command.optsWithGlobals(), io));
    });
  asks(approvals, 'approve', 'say yes, once, to the exact call')
    .argument('<id>')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).approveCall(id, command.optsWithGlobals(), io));
    });
  asks(approvals, 'decline', 'say no')
    .argument('<id>')
    .option('--reason <text>', 'for the model')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).declineCall(id, command.optsWithGlobals(), io));
    });
  asks(approvals, 'edit', 'say yes to the same tool with other arguments')
    .argument('<id>')
    .requiredOption('--args <text>', 'the arguments: JSON text, @file, or - for standard input')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).approveCall(id, command.optsWithGlobals(), io));
    });
  asks(approvals, 'watch', 'show what waits and every change, until Ctrl-C').action(
    async (_own: unknown, command: Command) => {
      const { watchApprovals } = await import('./watch-command.ts');
      done(await watchApprovals(command.optsWithGlobals(), io));
    },
  );
}

function addCalls(calls: Command, io: CliIo, done: (exitCode: number) => void): void {
  const load = () => import('./calls-command.ts');
  asks(calls, 'list', 'list tool calls, newest first')
    .addOption(new Option('--verdict <verdict>', 'what was said').choices(['allowed', 'refused', 'observed']))
    .option('--tool <tool>', 'of this tool')
    .option('--principal <principal>', 'of this principal')
    .option('--place <place>', 'of this route or server')
    .option('--request <id>', 'of this request')
    .option('--limit <count>', 'how many', readAmount, LIMIT)
    .action(async (_own: unknown, command: Command) => {
      done(await (await load()).listCalls(command.optsWithGlobals(), io));
    });
  asks(calls, 'show', 'show one, with its contents where they are kept')
    .argument('<id>')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).showCall(id, command.optsWithGlobals(), io));
    });
}

function addTraffic(traffic: Command, io: CliIo, done: (exitCode: number) => void): void {
  const load = () => import('./traffic-command.ts');
  asks(traffic, 'list', 'list requests, newest first')
    .addOption(new Option('--surface <surface>', 'what they came to').choices(SURFACES))
    .option('--route <route>', 'of this route; of the admin API, of this operation')
    .option('--principal <principal>', 'of this principal')
    .option('--limit <count>', 'how many', readAmount, LIMIT)
    .action(async (_own: unknown, command: Command) => {
      done(await (await load()).listTraffic(command.optsWithGlobals(), io));
    });
  asks(traffic, 'show', 'show one: its candidates, tokens, times and losses')
    .argument('<id>')
    .action(async (id: string, _own: unknown, command: Command) => {
      done(await (await load()).showTraffic(id, command.optsWithGlobals(), io));
    });
}

function addAudit(audit: Command, io: CliIo, done: (exitCode: number) => void): void {
  const load = () => import('./audit-command.ts');
  const DATABASE = 'sqlite:FILE or postgres://…, without a gateway';
  asks(
    audit,
    'verify',
    'find the first record that was changed, removed or moved; exit code 1 when there is one',
  )
    .argument('[file]', 'what "audit export" wrote, or - for standard input; default: a running gateway')
    .option('--database <url>', DATABASE)
    .option(
      '--anchor <head>',
      'NUMBER:DIGEST, a head that was kept elsewhere: finds a chain that was cut off',
    )
    .action(async (file: string | undefined, _own: unknown, command: Command) => {
      done(await (await load()).verifyAudit(file, command.optsWithGlobals(), io));
    });
  asks(audit, 'export', 'write the audit as JSON lines')
    .option('--database <url>', DATABASE)
    .option('--after <number>', 'only what comes after this record', readCount, 0)
    .action(async (_own: unknown, command: Command) => {
      done(await (await load()).exportAudit(command.optsWithGlobals(), io));
    });
}
