import { type Binding, ContractError, foldToolName, type IntakeNote, SchemaError } from '@toolgate/core';
import { type Finding, isHidden } from '../intake/finding.ts';
import { inspectDefinition } from '../intake/inspect-definition.ts';
import { isSameTool, type ListedTool } from '../intake/listed-tool.ts';
import { offeredName } from '../intake/offered-name.ts';
import { quoteName } from '../intake/quote-name.ts';
import type { Catalog } from '../lifecycle/live-session.ts';
import type { ServerLink } from '../lifecycle/server-link.ts';
import { diffLock } from '../lock/diff-lock.ts';
import type { DriftReport } from '../lock/drift-report.ts';
import { type LockedTool, lockedTool } from '../lock/lock-file.ts';
import { McpError } from '../mcp-error.ts';
import type { MountedFacts, MountedTool } from './mount-report.ts';
import { type BoundTool, DEFAULT_CLASS, mountTool } from './mount-tool.ts';
import type { MountSettings } from './read-mount-config.ts';

/** What was made of one list of a server. */
export interface Generation<Context> {
  readonly number: number;
  readonly catalog: Catalog;
  readonly tools: readonly Binding<Context>[];
  /** Made when somebody asks. */
  readonly mounted: () => readonly MountedTool[];
  readonly drift: DriftReport | undefined;
  readonly unusedRules: readonly number[];
  /** By the name that the server gives; what did not change is taken over by the next generation. */
  readonly built: ReadonlyMap<string, BuiltTool<Context>>;
}

/** What is reported of a tool, but for a digest that costs time and is made when somebody asks. */
type BuiltFacts =
  | Exclude<MountedTool, { readonly kind: 'offered' }>
  | Omit<Extract<MountedTool, { readonly kind: 'offered' }>, 'contractDigest'>;

/** One tool of a list: what is reported of it, and what can be called. */
interface BuiltTool<Context> {
  readonly entry: ListedTool;
  readonly mounted: BuiltFacts;
  readonly binding: Binding<Context> | undefined;
}

/**
 * Makes tools of a list. Whatever is wrong with one of them costs that one alone; so does a name that looks like that of
 * an earlier one, which no gate takes beside it.
 *
 * @throws {@link McpError} `mcp/name-collision` for two tools that would have one name.
 */
export function buildGeneration<Context>(
  catalog: Catalog,
  settings: MountSettings<Context>,
  link: ServerLink,
  previous: Generation<Context> | undefined,
): Generation<Context> {
  const built = new Map<string, BuiltTool<Context>>();
  const used = new Set<number>();
  const owners = new Map<string, string>();
  const folds = new Map<string, string>();
  const all: BuiltTool<Context>[] = [];
  for (const entry of catalog.listed) {
    const index = settings.rules.findIndex(({ matches }) => matches(entry.name));
    if (index >= 0) used.add(index);
    const rule = settings.rules[index]?.rule;
    const known = previous?.built.get(entry.name);
    const same = known !== undefined && isSameTool(known.entry, entry);
    const tool = same ? known : buildTool(entry, rule, settings, link);
    if (tool.mounted.kind !== 'disabled') claimName(owners, tool.mounted.name, entry.name);
    // What the next generation takes over says nothing of its neighbours in this one.
    built.set(entry.name, tool);
    all.push(apart(tool, folds));
  }
  let mounted: readonly MountedTool[] | undefined;
  return Object.freeze({
    number: (previous?.number ?? 0) + 1,
    catalog,
    tools: Object.freeze(all.flatMap(({ binding }) => (binding === undefined ? [] : [binding]))),
    mounted: () => {
      mounted ??= Object.freeze(all.map(reported));
      return mounted;
    },
    drift: driftOf(catalog, settings),
    unusedRules: Object.freeze([...settings.rules.keys()].filter((index) => !used.has(index))),
    built,
  });
}

function reported<Context>({ mounted, binding }: BuiltTool<Context>): MountedTool {
  if (mounted.kind !== 'offered') return mounted;
  // What is offered is bound.
  if (binding === undefined) throw new TypeError('An offered tool has no binding.');
  return Object.freeze({ ...mounted, contractDigest: binding.contract.digest });
}

function claimName(owners: Map<string, string>, name: string, tool: string): void {
  const owner = owners.get(name);
  if (owner !== undefined) {
    throw new McpError(
      'mcp/name-collision',
      `The tools ${quoteName(owner)} and ${quoteName(tool)} would both be offered as ${name}.`,
    );
  }
  owners.set(name, tool);
}

/** The tool, or one that cannot be used where its name looks like that of another one that is offered. */
function apart<Context>(tool: BuiltTool<Context>, folds: Map<string, string>): BuiltTool<Context> {
  const { entry, mounted, binding } = tool;
  if (binding === undefined || mounted.kind === 'disabled') return tool;
  const fold = foldToolName(mounted.name);
  const other = folds.get(fold);
  if (other === undefined) {
    folds.set(fold, mounted.name);
    return tool;
  }
  const { class: executionClass, findings, notes } = mounted;
  const facts = { tool: mounted.tool, class: executionClass, findings, notes };
  return finish(entry, disabled(facts, `The name ${mounted.name} looks like ${other}.`, '/name'));
}

function buildTool<Context>(
  entry: ListedTool,
  rule: MountSettings<Context>['rules'][number]['rule'] | undefined,
  settings: MountSettings<Context>,
  link: ServerLink,
): BuiltTool<Context> {
  const executionClass = rule?.class ?? DEFAULT_CLASS;
  if (entry.kind === 'broken') {
    const { message, pointer } = entry.problem;
    const facts = { tool: entry.name, class: executionClass, findings: NONE, notes: NONE };
    return finish(entry, disabled(facts, message, pointer));
  }
  const { locked, fault } = entry;
  const findings = inspectDefinition(locked.definition);
  if (fault !== undefined) {
    const facts = { tool: entry.name, class: executionClass, findings, notes: NONE };
    return finish(entry, disabled(facts, fault.message, fault.pointer));
  }
  const name = offeredName(settings.prefix ? settings.name : undefined, entry.name);
  let bound: BoundTool<Context>;
  try {
    bound = mountTool(locked, name, rule, settings, link);
  } catch (error) {
    const facts = { tool: entry.name, class: executionClass, findings, notes: NONE };
    return finish(entry, disabled(facts, reasonOf(error), pointerOf(error)));
  }
  const { binding, notes } = bound;
  const { annotations } = binding.contract.definition;
  const facts: MountedFacts = {
    tool: entry.name,
    class: executionClass,
    ...(annotations === undefined ? {} : { annotations }),
    ...(binding.contract.intake.open === true ? { open: true } : {}),
    findings: Object.freeze([...findings, ...slowPatterns(notes)]),
    notes: Object.freeze(notes),
  };
  const reason = quarantine(locked, facts.findings, settings);
  if (reason !== undefined) {
    return finish(
      entry,
      Object.freeze({ kind: 'quarantined', ...facts, name, digest: locked.digest, reason }),
    );
  }
  const mounted = Object.freeze({ kind: 'offered', ...facts, name, digest: locked.digest } as const);
  return finish(entry, mounted, binding);
}

const NONE: readonly never[] = Object.freeze([]);

function finish<Context>(
  entry: ListedTool,
  mounted: BuiltFacts,
  binding?: Binding<Context>,
): BuiltTool<Context> {
  return Object.freeze({ entry, mounted, binding });
}

function disabled(facts: MountedFacts, reason: string, pointer: string | undefined): BuiltFacts {
  return Object.freeze({ kind: 'disabled', ...facts, reason, ...(pointer === undefined ? {} : { pointer }) });
}

/** Why a tool is held back, where it is. What was reviewed exactly as it is now is never held back. */
function quarantine<Context>(
  locked: LockedTool,
  findings: readonly Finding[],
  { name, lock, hidden }: MountSettings<Context>,
): 'not-reviewed' | 'changed' | 'hidden-content' | undefined {
  if (lock !== 'off') {
    const reviewed = lockedTool(lock.file, name, locked.definition.name);
    if (reviewed?.digest === locked.digest) return undefined;
    if (lock.mode === 'require') return reviewed === undefined ? 'not-reviewed' : 'changed';
  }
  return hidden === 'quarantine' && findings.some(isHidden) ? 'hidden-content' : undefined;
}

function slowPatterns(notes: readonly IntakeNote[]): readonly Finding[] {
  return notes
    .filter(({ kind }) => kind === 'pattern-linear')
    .map(({ pointer }) => ({
      kind: 'slow-pattern',
      pointer,
      detail: 'the pattern is not proved linear and runs on the linear engine',
    }));
}

function driftOf<Context>(
  { listed }: Catalog,
  { name, lock }: MountSettings<Context>,
): DriftReport | undefined {
  if (lock === 'off') return undefined;
  const entries = listed.map((entry) => (entry.kind === 'tool' ? entry.locked.definition : entry.raw));
  return diffLock(lock.file, name, entries);
}

function reasonOf(error: unknown): string {
  if (ContractError.is(error) || SchemaError.is(error)) return error.message;
  return 'The definition cannot be used.';
}

function pointerOf(error: unknown): string | undefined {
  return ContractError.is(error) || SchemaError.is(error) ? error.pointer : undefined;
}
