import { checkScopeNames } from '../policy/scope.ts';
import { ContractError } from '../tool/contract-error.ts';
import { foldToolName } from '../tool/tool-name.ts';
import { type DeadlineLane, Deadlines } from './deadlines.ts';
import { type GateEntry, toGateEntry } from './gate-entry.ts';
import { GateError } from './gate-error.ts';
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
 * Binds the tools of a gate, and sees whether it has those that its scope names.
 *
 * @throws {@link ContractError} `tool/name-duplicate`, `tool/name-confusable`, and what {@link toGateEntry} throws;
 * {@link PolicyError} `policy/tool-unknown`; {@link GateError} `gate/options-invalid`.
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
  checkScopeNames(settings.scope, entries, 'scope');
  for (const { name, profile } of entries.values()) checkCheckName(name, profile.checkWith, folds);
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

/** The tool that shows an effect may be in another gate. A name that only looks like one of this gate is misspelt. */
function checkCheckName(
  name: string,
  checkWith: string | undefined,
  folds: ReadonlyMap<string, string>,
): void {
  const other = checkWith === undefined ? undefined : folds.get(foldToolName(checkWith));
  if (other === undefined || other === checkWith) return;
  throw new GateError(
    'gate/options-invalid',
    `profile.checkWith of "${name}" is "${checkWith}"; the tool is called "${other}".`,
  );
}
