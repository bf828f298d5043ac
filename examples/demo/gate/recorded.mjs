// The recorded definitions and calls, read once.
import { readFileSync } from 'node:fs';
import { readJson } from '@toolgate/core';

const DATA = new URL('../../data/', import.meta.url);

/**
 * @typedef {{ name: string, arguments: string, valid: boolean }} RecordedCall
 * @typedef {{ id: string, tools: readonly import('@toolgate/core').ToolDefinition[], calls: readonly RecordedCall[] }} RecordedCase
 */

/** @param {string} text */
const parse = (text) => /** @type {unknown} */ (readJson(text));

/** @param {string} file */
const readData = (file) => readFileSync(new URL(file, DATA), 'utf8');

const cases = readData('bfcl-cases.jsonl')
  .trim()
  .split('\n')
  .map((line) => /** @type {RecordedCase} */ (parse(line)));

const mcp = /** @type {Pick<RecordedCase, 'tools'>} */ (parse(readData('mcp-tools.json')));

const definitions = new Map(
  [mcp, ...cases].flatMap(({ tools }) => tools).map((definition) => [definition.name, definition]),
);

/**
 * The definition of a tool, as it was recorded.
 * @param {string} name
 */
export function recordedDefinition(name) {
  const found = definitions.get(name);
  if (found === undefined) throw new Error(`There is no recorded tool ${name}.`);
  return found;
}

/**
 * The first call of a recorded case.
 * @param {string} id
 */
export function recordedCall(id) {
  const call = cases.find((each) => each.id === id)?.calls[0];
  if (call === undefined) throw new Error(`There is no recorded case ${id}.`);
  return call;
}
