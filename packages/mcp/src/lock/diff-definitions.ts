import { appendPointer, canonicalJson, type JsonObject, type JsonValue } from '@toolgate/core';
import { isObject } from '../value-shape.ts';
import { type DiffBudget, diffWords, replaceText } from './diff-words.ts';
import type { FieldChange } from './drift-report.ts';
import type { LockedDefinition } from './lock-file.ts';
import { PINNED_MEMBERS } from './to-locked-tool.ts';

/** Places of one definition that are listed. */
const MAX_CHANGES = 100;

/** Where two definitions differ. */
export interface DefinitionDiff {
  readonly changes: readonly FieldChange[];
  readonly moreChanges: number;
}

/**
 * Where two definitions differ, in the order of a reader: what the model is told first, then the schemas from their
 * roots down. Two texts are compared in words; so are lists of plain values, such as `required`.
 */
export function diffDefinitions(
  before: LockedDefinition,
  after: LockedDefinition,
  budget: DiffBudget,
): DefinitionDiff {
  const changes: FieldChange[] = [];
  let moreChanges = 0;
  const report = (pointer: string, left: JsonValue | undefined, right: JsonValue | undefined): void => {
    if (changes.length === MAX_CHANGES) moreChanges += 1;
    else changes.push(toChange(pointer, left, right, budget));
  };
  walk(before, after, '', PINNED_MEMBERS, report);
  return Object.freeze({ changes: Object.freeze(changes), moreChanges });
}

type Report = (pointer: string, left: JsonValue | undefined, right: JsonValue | undefined) => void;

/** Recursion is bounded by the depth that a definition may have. */
function walk(
  left: JsonObject,
  right: JsonObject,
  at: string,
  order: readonly string[],
  report: Report,
): void {
  for (const name of order) {
    const [before, after] = [own(left, name), own(right, name)];
    compare(before, after, appendPointer(at, name), report);
  }
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
  report: Report,
): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    walk(before, after, at, [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(), report);
  } else if (isList(before) && isList(after) && [...before, ...after].some(isContainer)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
      compare(before[index], after[index], appendPointer(at, index), report);
    }
  } else if (before === undefined || after === undefined || canonicalJson(before) !== canonicalJson(after)) {
    report(at, before, after);
  }
}

function toChange(
  pointer: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  budget: DiffBudget,
): FieldChange {
  if (before === undefined || after === undefined) {
    const kind = before === undefined ? 'added' : 'removed';
    return Object.freeze({ kind, pointer, runs: replaceText(say(before), say(after)) });
  }
  const alike =
    (typeof before === 'string' && typeof after === 'string') || (isList(before) && isList(after));
  const runs = alike
    ? diffWords(say(before), say(after), budget)
    : // Next to another value a text has to show that it is one.
      replaceText(canonicalJson(before), canonicalJson(after));
  return Object.freeze({ kind: 'changed', pointer, runs });
}

function say(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}

function own(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
