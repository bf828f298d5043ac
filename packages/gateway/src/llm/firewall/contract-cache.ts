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
  readonly key: string;
  /** `undefined` once it was thrown out, so that whoever knows the entry does not keep the contract alive. */
  found: FoundContract | undefined;
  readonly length: number;
  /** Grows with each use; a place in a list would have to be left and taken anew for every call. */
  usedAt: number;
}

/** Makes a cache; the definitions that were not used for the longest time go first. */
export function createContractCache(options: ContractCacheOptions = {}): ContractCache {
  const { maxEntries = 2_000, maxLength = 32 * 1024 * 1024, patternEngine } = options;
  const entries = new Map<string, Entry>();
  /** Of definitions that are the same objects again: a list of tools that comes twice is read once. */
  const known = new WeakMap<FunctionTool, Entry>();
  let length = 0;
  let uses = 0;

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

  const evictOldest = (): void => {
    let oldest: Entry | undefined;
    for (const entry of entries.values()) {
      if (oldest === undefined || entry.usedAt < oldest.usedAt) oldest = entry;
    }
    if (oldest === undefined) return;
    entries.delete(oldest.key);
    oldest.found = undefined;
    length -= oldest.length;
  };

  const add = (entry: Entry): void => {
    entries.set(entry.key, entry);
    length += entry.length;
    while (entries.size > maxEntries || length > maxLength) evictOldest();
  };

  return Object.freeze({
    contractOf(tool: FunctionTool) {
      uses += 1;
      const last = known.get(tool);
      if (last?.found !== undefined) {
        last.usedAt = uses;
        return last.found;
      }
      const text = JSON.stringify([tool.name, tool.description ?? null, tool.parameters ?? null]);
      const key = hash('sha256', text, 'base64');
      const same = entries.get(key);
      const found = same?.found ?? compile(tool);
      if (text.length > maxLength) return found;
      const entry = same ?? { key, found, length: text.length, usedAt: uses };
      entry.usedAt = uses;
      known.set(tool, entry);
      if (same === undefined) add(entry);
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
