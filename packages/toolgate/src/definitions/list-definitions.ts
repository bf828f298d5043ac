import { isJsonObject, type JsonValue } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { member, type RawDefinition, toRawDefinition } from './raw-definition.ts';

/**
 * The entries of a list of tools: an array; an object with `tools`, such as a request to a model; the answer to
 * `tools/list` of MCP, with its JSON-RPC envelope or without; or one definition alone.
 *
 * @throws CliError `cli/definitions-unknown`
 */
export function listDefinitions(value: JsonValue): readonly RawDefinition[] {
  const list = findList(value);
  if (list !== undefined) return list.map(toRawDefinition);
  const single = toRawDefinition(value);
  if (single.form !== 'unknown' && single.form !== 'hosted') return [single];
  throw new CliError(
    'cli/definitions-unknown',
    'This holds no tools: an array of definitions is expected (MCP, OpenAI or Anthropic), or an object with "tools".',
  );
}

function findList(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  if (!isJsonObject(value)) return undefined;
  const tools = member(value, 'tools');
  if (Array.isArray(tools)) return tools as readonly JsonValue[];
  const result = member(value, 'result');
  return isJsonObject(result) && Array.isArray(member(result, 'tools'))
    ? (member(result, 'tools') as readonly JsonValue[])
    : undefined;
}
