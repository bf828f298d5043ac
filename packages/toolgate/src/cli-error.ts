import { ignoreThrown } from '@toolgate/core';

/**
 * Every code of a {@link CliError}.
 *
 * `usage`: the command line cannot be understood. `input-unreadable`: a file or a stream cannot be read.
 * `input-too-large`: it is larger than the command takes. `input-not-text`: it is not UTF-8.
 * `definitions-unknown`: the input holds no tool definitions in a form that is known. `definition-unknown`: one entry
 * of it has no such form. `module-unsupported`: this Node.js cannot load that kind of module. `module-invalid`: the
 * module fails, or exports no tools. `tool-unknown`: no tool has that name. `case-invalid`, `line-too-long`: a line
 * is not a case. `model-unknown`: `--model` names no model. `model-key-missing`: the model needs a key.
 * `script-invalid`: the script of a scripted model cannot be used. `state-exists`: the file for a suspended run holds
 * one already. `state-invalid`: the file is no suspended run, or was changed. `state-unwritable`: a suspended run, or
 * what protects it, cannot be written. `lock-unwritable`: a lock file cannot be written. `review-needed`: tools were not
 * reviewed, and nobody can be asked or nobody said yes. `server-failed`: a server cannot be reached, or cannot listen.
 * `home-unusable`: the folder `.toolgate` cannot be used, or was filled by somebody else. `admin-key-missing`: no key opens
 * the admin API. `key-unknown`: no key of the gateway has that id or principal. `gateway-unreachable`: nothing answers there. `gateway-refused`: the gateway says no, with its reason.
 * `gateway-invalid`: what answers is no gateway.
 * `output-failed`: the output cannot be written. `output-closed`: whoever read it went away. `interrupted`: a signal ended the command. `defect`: the command itself is at fault.
 */
export const cliErrorCodes = [
  'cli/usage',
  'cli/input-unreadable',
  'cli/input-too-large',
  'cli/input-not-text',
  'cli/definitions-unknown',
  'cli/definition-unknown',
  'cli/module-unsupported',
  'cli/module-invalid',
  'cli/tool-unknown',
  'cli/case-invalid',
  'cli/line-too-long',
  'cli/model-unknown',
  'cli/model-key-missing',
  'cli/script-invalid',
  'cli/state-exists',
  'cli/state-invalid',
  'cli/state-unwritable',
  'cli/lock-unwritable',
  'cli/review-needed',
  'cli/server-failed',
  'cli/home-unusable',
  'cli/admin-key-missing',
  'cli/key-unknown',
  'cli/gateway-unreachable',
  'cli/gateway-refused',
  'cli/gateway-invalid',
  'cli/output-failed',
  'cli/output-closed',
  'cli/interrupted',
  'cli/defect',
] as const;

/** A code of {@link CliError}. */
export type CliErrorCode = (typeof cliErrorCodes)[number];

/** What a {@link CliError} carries besides its code and message. */
export interface CliErrorOptions {
  /** Default: 2 for what the command line says (`cli/usage`, `cli/model-unknown`), 1 for all others. */
  readonly exitCode?: number;
  readonly cause?: unknown;
}

const USAGE: ReadonlySet<CliErrorCode> = new Set<CliErrorCode>(['cli/usage', 'cli/model-unknown']);

/** Why a command ended before its work was done. `message` is one sentence for a terminal. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly exitCode: number;

  constructor(code: CliErrorCode, message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    ignoreThrown(options.cause);
    this.code = code;
    this.exitCode = options.exitCode ?? (USAGE.has(code) ? 2 : 1);
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. */
  static is(value: unknown): value is CliError {
    return value instanceof Error && value.name === 'CliError' && 'exitCode' in value;
  }
}
