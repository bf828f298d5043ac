import { ContractError } from '../tool/contract-error.ts';
import { foldToolName } from '../tool/tool-name.ts';
import { type DeadlineLane, Deadlines } from './deadlines.ts';
import { type GateEntry, toGateEntry } from './gate-entry.ts';
import { KeyLocks } from './key-locks.ts';
import type { GateSettings } from './read-gate-config.ts';

/** What the sessions of one gate share. */
export interface GateCore<Context> {
  readonly settings: GateSettings<Context>;
  /** In order of declaration. */
  readonly entries: ReadonlyMap<string, GateEntry<Context>>;
  readonly deadlines: Deadlines;
  readonly locks: KeyLocks;
  readonly grace: DeadlineLane;
  /** `undefined` when a policy may take for ever. */
  readonly patience: DeadlineLane | undefined;
}

/**
 * Binds the tools of a gate.
 *
 * @throws {@link ContractError} `tool/name-duplicate`, `tool/name-confusable`, and what {@link toGateEntry} throws.
 */
export function createGateCore<Context>(settings: GateSettings<Context>): GateCore<Context> {
  const deadlines = new Deadlines(settings.clock);
  const entries = new Map<string, GateEntry<Context>>();
  const folds = new Map<string, string>();
  for (const tool of settings.tools) {
    const entry = toGateEntry(tool, settings, deadlines);
    const { name } = entry;
    const fold = foldToolName(name);
    const other = folds.get(fold);
    if (other === name) throw new ContractError('tool/name-duplicate', `There is a tool "${name}" already.`);
    if (other !== undefined) {
      throw new ContractError(
        'tool/name-confusable',
        `The tool "${name}" looks like "${other}"; rename one.`,
      );
    }
    entries.set(name, entry);
    folds.set(fold, name);
  }
  return Object.freeze({
    settings,
    entries,
    deadlines,
    locks: new KeyLocks(),
    grace: deadlines.lane(settings.graceMs),
    patience: Number.isFinite(settings.policyTimeoutMs)
      ? deadlines.lane(settings.policyTimeoutMs)
      : undefined,
  });
}
