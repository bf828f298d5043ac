import { extname, resolve } from 'node:path';
import { readJson } from '@toolgate/core';
import { readInput } from '../input/read-input.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { type BindOptions, type BoundDefinition, bindDefinitions } from './bound-definition.ts';
import { listDefinitions } from './list-definitions.ts';
import { loadModuleDefinitions } from './load-module.ts';

/** Bytes of a file of definitions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Open brackets: a foreign schema may nest 32 deep, and each level takes up to three. */
const MAX_DEPTH = 256;

const MODULES: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/**
 * Reads tool definitions: a module by its ending, everything else (and `-`, standard input) as strict JSON.
 *
 * @throws CliError; JsonError when the text is not strict JSON.
 */
export async function loadDefinitions(
  name: string,
  io: CliIo,
  options: BindOptions = {},
): Promise<readonly BoundDefinition[]> {
  if (name !== '-' && MODULES.has(extname(name))) return loadModuleDefinitions(resolve(io.cwd, name));
  const bytes = await readInput(name, io, MAX_BYTES);
  // A bound beyond 2^53 in a schema, which generators for 64-bit languages write, is no reason to refuse it.
  const value = readJson(bytes, { maxBytes: 'none', maxDepth: MAX_DEPTH, inexactIntegers: 'allow' });
  return bindDefinitions(listDefinitions(value), options);
}
