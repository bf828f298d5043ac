import type { CallRefusal, Contract, Invocation } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { BoundDefinition } from '../definitions/bound-definition.ts';
import { loadDefinitions } from '../definitions/load-definitions.ts';
import { readTextInput } from '../input/read-input.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';

/** Options of `toolgate call`. */
export interface CallOptions {
  readonly json: boolean;
  /** The argument text, `@file`, or `-` for standard input. */
  readonly args: string;
  /** The id of the call. */
  readonly id: string;
}

/** Bytes of an argument file; more than any contract takes, so that the contract says what is too large. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Prepares one call and says what came of it. Nothing is executed.
 *
 * @returns The exit code: 1 when the call is refused.
 */
export async function prepareCall(
  file: string,
  name: string,
  options: CallOptions,
  io: CliIo,
): Promise<number> {
  if (file === '-' && options.args === '-') {
    throw new CliError('cli/usage', 'Definitions and arguments cannot both come from standard input.');
  }
  const definition = findDefinition(await loadDefinitions(file, io), name);
  const contract = contractOf(definition, name);
  const text = await readArgumentText(options.args, io);
  const prepared = contract.prepare({ id: options.id, name: contract.definition.name, arguments: text });
  const paint = createPaint(io.stdout, io.env);
  if (prepared.ok) {
    const { invocation } = prepared;
    await io.stdout.write(
      options.json
        ? toLine({ ok: true, ...admitted(name, contract, invocation) })
        : formatAdmitted(name, contract, invocation, paint),
    );
    return 0;
  }
  await io.stdout.write(
    options.json
      ? toLine({ ok: false, tool: name, contractDigest: contract.digest, ...refused(prepared.error) })
      : formatRefused(name, prepared.error, paint),
  );
  return 1;
}

function findDefinition(definitions: readonly BoundDefinition[], name: string): BoundDefinition {
  const found = definitions.filter((definition) => definition.name === name);
  const [first] = found;
  if (first === undefined) {
    throw new CliError(
      'cli/tool-unknown',
      `No tool has the name ${JSON.stringify(safeText(name, 80))}; "toolgate inspect" lists them.`,
    );
  }
  if (found.length > 1) {
    throw new CliError(
      'cli/definitions-unknown',
      `More than one tool has the name ${JSON.stringify(safeText(name, 80))}.`,
    );
  }
  return first;
}

function contractOf({ contract, fault }: BoundDefinition, name: string): Contract {
  if (contract !== undefined) return contract;
  const why = fault === undefined ? 'the provider executes it' : `${fault.code}: ${safeText(fault.message)}`;
  throw new CliError('cli/definition-unknown', `The tool ${safeText(name, 80)} has no contract: ${why}`);
}

function readArgumentText(args: string, io: CliIo): Promise<string> {
  if (args === '-') return readTextInput('-', io, MAX_BYTES);
  if (args.startsWith('@')) return readTextInput(args.slice(1), io, MAX_BYTES);
  return Promise.resolve(args);
}

function admitted(name: string, contract: Contract, invocation: Invocation): object {
  return {
    tool: name,
    contractDigest: contract.digest,
    invocationDigest: invocation.digest,
    filled: invocation.filled,
    arguments: invocation.arguments(),
  };
}

function refused({ reason, text, issues, jsonError }: CallRefusal): object {
  const place =
    jsonError === undefined
      ? {}
      : {
          json: {
            code: jsonError.code,
            pointer: jsonError.pointer,
            offset: jsonError.offset,
            line: jsonError.line,
            column: jsonError.column,
          },
        };
  return { reason, text, ...(issues === undefined ? {} : { issues }), ...place };
}

function formatAdmitted(name: string, contract: Contract, invocation: Invocation, paint: Paint): string {
  const { filled, digest, argumentsText } = invocation;
  return [
    `${paint('good', 'admitted')}    ${paint('strong', safeText(name, 80))}\n`,
    `invocation  ${digest}\n`,
    `contract    ${contract.digest}\n`,
    ...filled.map((pointer) => `filled      ${safeText(pointer)} ${paint('quiet', 'from its default')}\n`),
    `arguments   ${safeText(argumentsText, 4_000)}\n`,
  ].join('');
}

function formatRefused(name: string, { reason, text, jsonError }: CallRefusal, paint: Paint): string {
  const code = jsonError === undefined ? '' : `  ${jsonError.code}`;
  const lines = text.split('\n').map((line) => `  ${safeText(line, 1_000)}\n`);
  return `${paint('bad', 'refused')}  ${paint('strong', safeText(name, 80))}  ${reason}${code}\n${lines.join('')}`;
}

function toLine(value: object): string {
  return `${jsonText(value)}\n`;
}
