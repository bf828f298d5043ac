import { cloneJson, freezeJson, type JsonValue } from '@toolgate/core';
import type { ModelTool } from '@toolgate/model';

const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Plain data that nobody can change: the value itself where it is deeply frozen, as codecs make it, and a deeply frozen
 * copy otherwise.
 */
export function ownData<Value extends object>(value: Value): Value;
export function ownData(value: object): object {
  if (Array.isArray(value) && value.length === 0) return NOTHING;
  return isDeeplyFrozen(value) ? value : frozenCopy(value);
}

/** The same for tools: lists of them come again and again, and each tool is looked at once. */
export function ownTools(tools: readonly ModelTool[]): readonly ModelTool[];
export function ownTools(tools: readonly ModelTool[]): object {
  if (tools.length === 0) return NOTHING;
  return Object.isFrozen(tools) && areFrozen(tools) ? tools : frozenCopy(tools);
}

function frozenCopy(value: object): object {
  // A boundary: calls are JSON values, members with `undefined` included.
  return freezeJson(cloneJson(value as JsonValue)) as object;
}

function areFrozen(tools: readonly ModelTool[]): boolean {
  // By place: an engine walks a frozen list by method at several times the cost.
  for (let at = 0; at < tools.length; at += 1) {
    const tool = tools[at];
    if (tool === undefined || !isFrozenTool(tool)) return false;
  }
  return true;
}

/** Tools that were found frozen to the last value in them. Nothing that comes with one request only is remembered. */
const known = new WeakSet<ModelTool>();

function isFrozenTool(tool: ModelTool): boolean {
  if (known.has(tool)) return true;
  if (!isDeeplyFrozen(tool)) return false;
  known.add(tool);
  return true;
}

function isDeeplyFrozen(root: object): boolean {
  const waiting: object[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (!Object.isFrozen(value)) return false;
    for (const member of Object.values(value) as readonly unknown[]) {
      if (typeof member === 'object' && member !== null) waiting.push(member);
    }
  }
  return true;
}
