import { hash } from 'node:crypto';
import {
  type Contract,
  ContractError,
  defineContract,
  isToolName,
  type JsonObject,
  type PatternEngine,
} from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';

/** The contract of a client's tool, or why there is none. */
export type FoundContract =
  | { readonly kind: 'contract'; readonly contract: Contract }
  /** The definition cannot be enforced, for example for a pattern that may take for ever. Its calls are refused. */
  | { readonly kind: 'unusable'; readonly code: string };

/** Compiles each definition once, as long as it is used. */
export interface ContractCache {
  /** @param tool - Never changed afterwards: the same object has the same contract. */
  contractOf(tool: FunctionTool): FoundContract;
  readonly size: number;
}

/** Bounds of a cache. */
export interface ContractCacheOptions {
  /** Definitions. Default 2,000. */
  readonly maxEntries?: number;
  /** Characters of all definitions together. Default 32 Mi. */
  readonly maxLength?: number;
  /** Runs patterns of clients' schemas that are not proved to be linear; without it their tools are unusable. */
  readonly patternEngine?: PatternEngine;
}

interface Entry {
  readonly found: FoundContract;
  readonly length: number;
}

/** Makes a cache; the definitions that were not used for the longest time go first. */
export function createContractCache(options: ContractCacheOptions = {}): ContractCache {
  const { maxEntries = 2_000, maxLength = 32 * 1024 * 1024, patternEngine } = options;
  const entries = new Map<string, Entry>();
  /** Of definitions that are the same objects again: a list of tools that comes twice is read once. */
  const keys = new WeakMap<FunctionTool, string>();
  let length = 0;

  const compile = (tool: FunctionTool): FoundContract => {
    try {
      const contract = defineContract(toDefinition(tool), {
        trust: 'foreign',
        ...(patternEngine === undefined ? {} : { patternEngine }),
      });
      return { kind: 'contract', contract };
    } catch (error) {
      if (!ContractError.is(error)) throw error;
      return { kind: 'unusable', code: error.code };
    }
  };

  /** Finds a contract; it is the one that was used last then. */
  const use = (key: string | undefined): FoundContract | undefined => {
    const known = key === undefined ? undefined : entries.get(key);
    if (key === undefined || known === undefined) return undefined;
    entries.delete(key);
    entries.set(key, known);
    return known.found;
  };

  const add = (key: string, size: number, found: FoundContract): FoundContract => {
    if (size > maxLength) return found;
    entries.set(key, { found, length: size });
    length += size;
    for (const [oldest, entry] of entries) {
      if (entries.size <= maxEntries && length <= maxLength) break;
      entries.delete(oldest);
      length -= entry.length;
    }
    return found;
  };

  return Object.freeze({
    contractOf(tool: FunctionTool) {
      const known = use(keys.get(tool));
      if (known !== undefined) return known;
      const text = JSON.stringify([tool.name, tool.description ?? null, tool.parameters ?? null]);
      const key = hash('sha256', text, 'base64');
      keys.set(tool, key);
      return use(key) ?? add(key, text.length, compile(tool));
    },
    get size() {
      return entries.size;
    },
  });
}

/**
 * The name under which a contract knows a tool. Some wires allow names that a contract does not; those get one made of
 * their digest, so that two of them stay two.
 */
export function contractName(name: string): string {
  return isToolName(name) ? name : `tool_${hash('sha256', name, 'hex').slice(0, 32)}`;
}

function toDefinition({ name, description, parameters }: FunctionTool): {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
} {
  return {
    name: contractName(name),
    description: description ?? '',
    inputSchema: parameters ? withObjectType(parameters) : { type: 'object' },
  };
}

/** A schema without a type at its root still describes arguments, and those are an object on every wire. */
function withObjectType(schema: JsonObject): JsonObject {
  return schema['type'] === undefined ? { ...schema, type: 'object' } : schema;
}
