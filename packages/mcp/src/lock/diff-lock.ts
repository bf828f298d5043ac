import { digest as digestOf } from '@toolgate/core';
import { diffDefinitions } from './diff-definitions.ts';
import type { DiffBudget } from './diff-words.ts';
import type { DriftReport, ToolDrift } from './drift-report.ts';
import { type LockedDefinition, type LockedTool, type LockFile, lockedServer } from './lock-file.ts';
import { type ListedTool, takeListed } from './take-listed.ts';

/** Characters of changed text that one report compares word by word. */
const BUDGET = 256 * 1024;

/**
 * Compares what a server lists with what was reviewed. Never throws for what a server sent.
 *
 * @param definitions - The entries of `tools/list` as received, of all pages.
 */
export function diffLock(lock: LockFile, server: string, definitions: readonly unknown[]): DriftReport {
  const reviewed = lockedServer(lock, server);
  const known = new Map(Object.entries(reviewed ?? {}));
  const listed = takeListed(definitions);
  const gone = [...known].filter(([tool]) => !listed.has(tool));
  const comparison: Comparison = { known, gone, budget: { left: BUDGET } };
  const drift: ToolDrift[] = gone.map(([tool, before]) => ({ kind: 'removed', tool, reviewed: before }));
  let unchanged = 0;
  for (const [tool, entry] of listed) {
    const found = compare(tool, entry, comparison);
    if (found === undefined) unchanged += 1;
    else drift.push(found);
  }
  drift.sort((left, right) => (left.tool < right.tool ? -1 : 1));
  for (const each of drift) Object.freeze(each);
  return Object.freeze({
    server,
    known: reviewed !== undefined,
    unchanged,
    drift: Object.freeze(drift),
  });
}

interface Comparison {
  readonly known: ReadonlyMap<string, LockedTool>;
  readonly gone: readonly (readonly [string, LockedTool])[];
  readonly budget: DiffBudget;
  /** Names of what is gone by what it did; made on first use. */
  bodies?: ReadonlyMap<string, string>;
}

function compare(tool: string, entry: ListedTool, comparison: Comparison): ToolDrift | undefined {
  const before = comparison.known.get(tool);
  if (entry.kind === 'problem') {
    const found = { kind: 'unpinnable', tool, problem: entry.problem } as const;
    return before === undefined ? found : { ...found, reviewed: before };
  }
  const { definition, digest } = entry.locked;
  if (before === undefined) {
    const renamedFrom = findFormer(definition, comparison);
    const found = { kind: 'added', tool, definition, digest } as const;
    return renamedFrom === undefined ? found : { ...found, renamedFrom };
  }
  if (before.digest === digest) return undefined;
  const { changes, moreChanges } = diffDefinitions(before.definition, definition, comparison.budget);
  return { kind: 'changed', tool, definition, digest, reviewed: before, changes, moreChanges };
}

function findFormer(definition: LockedDefinition, comparison: Comparison): string | undefined {
  if (comparison.gone.length === 0) return undefined;
  comparison.bodies ??= new Map(comparison.gone.map(([tool, gone]) => [bodyOf(gone.definition), tool]));
  return comparison.bodies.get(bodyOf(definition));
}

/** What a tool is but for its name. */
function bodyOf(definition: LockedDefinition): string {
  return digestOf({ ...definition, name: '' });
}
