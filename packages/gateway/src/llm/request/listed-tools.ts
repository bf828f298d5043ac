import type { JsonObject, JsonValue } from '@toolgate/core';
import type { FunctionTool, Item } from '@toolgate/model';

/** Tools of OpenAI Responses that stand in another place than the list of a request. */
export interface ListedTools {
  /** Functions under their whole names. */
  readonly functions: readonly FunctionTool[];
  /** Whole names of tools without a schema. */
  readonly custom: readonly string[];
  /** Kinds of tools that OpenAI defines. */
  readonly hosted: readonly string[];
}

/**
 * The name of a tool by which rules, approvals and the audit know it. Two servers may call their tools alike; the
 * namespace tells them apart, and its name usually ends as the first part of a whole name does.
 */
export function wholeName(name: string, namespace: JsonValue | undefined): string {
  if (typeof namespace !== 'string' || namespace === '') return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** The tools in a namespace; `undefined` for every other tool. */
export function namespaceTools(value: JsonValue): ListedTools | undefined {
  if (!isObject(value) || value['type'] !== 'namespace') return undefined;
  return readTools(value['tools'], value['name']);
}

const LOADERS: ReadonlySet<JsonValue | undefined> = new Set(['tool_search_output', 'additional_tools']);

/** The tools that items of a conversation add to those of the request; nothing is made where there are none. */
export function loadedTools(items: readonly Item[]): readonly ListedTools[] {
  let loaded: ListedTools[] | undefined;
  for (const item of items) {
    if (item.kind !== 'foreign' || item.protocol !== 'openai-responses') continue;
    const { value } = item;
    if (!isObject(value) || !LOADERS.has(value['type'])) continue;
    loaded ??= [];
    loaded.push(readTools(value['tools'], undefined));
  }
  return loaded ?? NONE;
}

const NONE: readonly ListedTools[] = Object.freeze([]);

function readTools(list: JsonValue | undefined, namespace: JsonValue | undefined): ListedTools {
  const functions: FunctionTool[] = [];
  const custom: string[] = [];
  const hosted: string[] = [];
  for (const entry of Array.isArray(list) ? (list as readonly JsonValue[]) : []) {
    if (!isObject(entry)) continue;
    const { description, name, parameters, type } = entry;
    if (type === 'namespace' && namespace === undefined) {
      const inner = readTools(entry['tools'], name ?? null);
      functions.push(...inner.functions);
      custom.push(...inner.custom);
    } else if (type === 'function' && typeof name === 'string') {
      functions.push({
        kind: 'function',
        name: wholeName(name, namespace),
        ...(typeof description === 'string' ? { description } : {}),
        ...(isObject(parameters) ? { parameters } : {}),
      });
    } else if (type === 'custom' && typeof name === 'string') custom.push(wholeName(name, namespace));
    else if (typeof type === 'string' && namespace === undefined) hosted.push(type);
  }
  return { functions, custom, hosted };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
