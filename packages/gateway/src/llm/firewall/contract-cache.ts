import { createHash } from 'node:crypto';
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

  return Object.freeze({
    contractOf(tool: FunctionTool) {
      const text = JSON.stringify([tool.name, tool.description ?? null, tool.parameters ?? null]);
      const key = createHash('sha256').update(text).digest('base64');
      const known = entries.get(key);
      if (known !== undefined) {
        entries.delete(key);
        entries.set(key, known);
        return known.found;
      }
      const found = compile(tool);
      if (text.length > maxLength) return found;
      entries.set(key, { found, length: text.length });
      length += text.length;
      for (const [oldest, entry] of entries) {
        if (entries.size <= maxEntries && length <= maxLength) break;
        entries.delete(oldest);
        length -= entry.length;
      }
      return found;
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
  return isToolName(name) ? name : `tool_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
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
