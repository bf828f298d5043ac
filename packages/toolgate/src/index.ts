/**
 * The command line of Toolgate as a function: what the `toolgate` command does, with streams of one's own.
 *
 * @packageDocumentation
 */
export { CliError, type CliErrorCode, type CliErrorOptions, cliErrorCodes } from './cli-error.ts';
export { main } from './main.ts';
export { type ChosenModel, createModel, type ModelSurroundings } from './run/create-model.ts';
export type { CliIo, TextSink } from './terminal/cli-io.ts';
