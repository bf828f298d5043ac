import { isJsonObject, type JsonValue } from '@toolgate/core';
import { type FunctionTool, type Item, wholeName } from '@toolgate/model';
import type { NamedTool } from './whole-names.ts';

/** Tools of OpenAI Responses that stand in another place than the list of a request. */
export interface ListedTools {
  /** Functions under their whole names. */
  readonly functions: readonly FunctionTool[];
  /** Whole names of tools without a schema. */
  readonly custom: readonly string[];
  /** Kinds of tools that OpenAI defines. */
  readonly hosted: readonly string[];
  /** Functions and custom tools as they are named. */
  readonly named: readonly NamedTool[];
}

/** The tools in a namespace, which stands at `pointer`; `undefined` for every other tool. */
export function namespaceTools(value: JsonValue, pointer: string): ListedTools | undefined {
  if (!isJsonObject(value) || value['type'] !== 'namespace') return undefined;
  return readTools(value['tools'], value['name'], `${pointer}/tools`);
}

const LOADERS: ReadonlySet<JsonValue | undefined> = new Set(['tool_search_output', 'additional_tools']);

/** The tools that items of a conversation add to those of the request; nothing is made where there are none. */
export function loadedTools(items: readonly Item[]): readonly ListedTools[] {
  let loaded: ListedTools[] | undefined;
  for (const item of items) {
    if (item.kind !== 'foreign' || item.protocol !== 'openai-responses') continue;
    const { value } = item;
    if (!isJsonObject(value) || !LOADERS.has(value['type'])) continue;
    loaded ??= [];
    // Which item of the input it was is not known any more.
    loaded.push(readTools(value['tools'], undefined, '/input'));
  }
  return loaded ?? NONE;
}

const NONE: readonly ListedTools[] = Object.freeze([]);

function readTools(
  list: JsonValue | undefined,
  namespace: JsonValue | undefined,
  pointer: string,
): ListedTools {
  const functions: FunctionTool[] = [];
  const custom: string[] = [];
  const hosted: string[] = [];
  const named: NamedTool[] = [];
  const place = (index: number): string => (pointer === '/input' ? pointer : `${pointer}/${index}`);
  const add = (name: string, index: number, isFunction: boolean): string => {
    const whole = wholeName(name, namespace);
    const own = typeof namespace === 'string' ? namespace : '';
    named.push({ whole, name, namespace: own, isFunction, pointer: place(index) });
    return whole;
  };
  for (const [index, entry] of (Array.isArray(list) ? (list as readonly JsonValue[]) : []).entries()) {
    if (!isJsonObject(entry)) continue;
    const { description, name, parameters, type } = entry;
    if (type === 'namespace' && namespace === undefined) {
      const inner = readTools(entry['tools'], name ?? null, pointer);
      functions.push(...inner.functions);
      custom.push(...inner.custom);
      named.push(...inner.named);
    } else if (type === 'function' && typeof name === 'string') {
      functions.push({
        kind: 'function',
        name: add(name, index, true),
        ...(typeof description === 'string' ? { description } : {}),
        ...(isJsonObject(parameters) ? { parameters } : {}),
      });
    } else if (type === 'custom' && typeof name === 'string') custom.push(add(name, index, false));
    else if (typeof type === 'string' && namespace === undefined) hosted.push(type);
  }
  return { functions, custom, hosted, named };
}
