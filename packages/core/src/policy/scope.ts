import { checkSeal, SEAL } from '../internal/seal.ts';
import { type Approver, DEFAULT_APPROVAL_LIFETIME_MS } from './approval.ts';
import { EXECUTION_RANKS, rankOf } from './execution-rank.ts';
import { PolicyError } from './policy-error.ts';
import { readScopeOptions, type ScopeOptions, type ScopeParts } from './scope-options.ts';

/** What a scope says about one tool. */
export type ScopeVerdict = 'permitted' | 'scope_denied' | 'privileged_not_allowed';

/** Who has to approve the calls of one class, and how long that may take. */
export interface ApprovalRule<Context = unknown> {
  /** Asked in this order; all of them have to allow. */
  readonly approvers: readonly Approver<Context>[];
  readonly lifetimeMs: number | 'none';
}

interface ApprovalLayer<Context> {
  readonly approve: Approver<Context>;
  readonly rank: number;
}

interface ScopeLayer extends Pick<ScopeParts<unknown>, 'allow' | 'deny'> {
  /** Whether a name that no tool of the gate has is a fault. */
  readonly exact: boolean;
}

interface ScopeState<Context> {
  /** Outermost first. Every layer has to permit; only the first one can allow a privileged tool. */
  readonly layers: readonly ScopeLayer[];
  readonly approvals: readonly ApprovalLayer<Context>[];
  readonly lifetimeMs: number | 'none';
}

let isOwn: (value: object) => boolean;
let layersOf: (scope: Scope<never>) => readonly ScopeLayer[];
let create: <Context>(state: ScopeState<Context>) => Scope<Context>;

/**
 * Which tools a run may use, and which of its calls need an approval. Immutable. It only ever narrows: a deny wins
 * over every allow, and nothing that was removed comes back.
 */
export class Scope<Context = unknown> {
  static {
    isOwn = (value) => #state in value;
    layersOf = (scope) => scope.#state.layers;
    create = (state) => new Scope(SEAL, state);
  }
  readonly #state: ScopeState<Context>;

  private constructor(seal: typeof SEAL, state: ScopeState<Context>) {
    checkSeal(seal, 'createScope makes a scope');
    this.#state = state;
    Object.freeze(this);
  }

  /**
   * Whether a tool may be used. A name on a deny list may not; a privileged tool only when `allow` names it; any other
   * tool when `allow` is empty or names it.
   */
  judge(tool: { readonly name: string; readonly privileged: boolean }): ScopeVerdict {
    const { layers } = this.#state;
    // By index: an engine walks a frozen list in several times the time, and this is asked twice for each call.
    for (let at = 0; at < layers.length; at += 1) {
      const layer = layers[at];
      if (layer?.deny.has(tool.name) || layer?.allow?.has(tool.name) === false) return 'scope_denied';
    }
    return tool.privileged && layers[0]?.allow === undefined ? 'privileged_not_allowed' : 'permitted';
  }

  /** Who approves the calls of a class; `undefined` when they need no approval. A class outside the list needs all. */
  approvalFor(executionClass: string): ApprovalRule<Context> | undefined {
    const { approvals } = this.#state;
    if (approvals.length === 0) return undefined;
    const rank = rankOf(executionClass);
    const approvers = new Set<Approver<Context>>();
    for (const layer of approvals) if (rank >= layer.rank) approvers.add(layer.approve);
    if (approvers.size === 0) return undefined;
    return Object.freeze({ approvers: Object.freeze([...approvers]), lifetimeMs: this.#state.lifetimeMs });
  }

  /**
   * A scope that permits no more than this one: deny lists add up, allow lists have to agree, and approvals can only
   * become stricter. A new `approve` is asked after the ones there are; a threshold alone applies to the last of
   * them, and one that is higher than before changes nothing; the shorter lifetime holds.
   *
   * @throws {@link PolicyError} as {@link createScope} does, and `policy/scope-invalid` for an empty allow list, which
   * would read like "nothing" and remove nothing.
   */
  narrow(options: ScopeOptions<Context>): Scope<Context> {
    const parts = readScopeOptions(options);
    if (options.allow !== undefined && parts.allow === undefined) {
      refuse('An empty allow list narrows nothing; leave it out, or name what may stay.');
    }
    const { layers, approvals, lifetimeMs } = this.#state;
    const approve = parts.approve ?? (parts.threshold === undefined ? undefined : approvals.at(-1)?.approve);
    const added = layerOf({ ...parts, approve });
    return create({
      layers: Object.freeze([...layers, toLayer(parts, layers.at(-1)?.exact)]),
      approvals: Object.freeze([...approvals, ...added]),
      lifetimeMs: parts.lifetimeMs === undefined ? lifetimeMs : shorter(lifetimeMs, parts.lifetimeMs),
    });
  }
}

/**
 * Makes a scope. Without rules it permits every tool that is not privileged, and asks for no approval.
 *
 * @throws {@link PolicyError} `policy/scope-invalid` for an unknown field, a name that no tool can have, or an approval
 * setting without `approve`; `policy/threshold-unknown` for a threshold outside the list.
 */
export function createScope<Context = unknown>(options: ScopeOptions<Context> = {}): Scope<Context> {
  const parts = readScopeOptions(options);
  if (parts.approve === undefined && parts.lifetimeMs !== undefined) {
    refuse('approvalLifetimeMs means nothing without approve.');
  }
  return create({
    layers: Object.freeze([toLayer(parts)]),
    approvals: Object.freeze(layerOf(parts)),
    lifetimeMs: parts.lifetimeMs ?? DEFAULT_APPROVAL_LIFETIME_MS,
  });
}

/** Whether a value is a genuine scope, and not an object with its prototype. */
export function isScope(value: unknown): value is Scope<never> {
  return typeof value === 'object' && value !== null && isOwn(value);
}

/**
 * Refuses a name that no tool of a gate has where its scope wants that.
 *
 * @param where - What the scope is called there.
 * @param last - Look at the last narrowing only; what was narrowed has been looked at.
 * @throws {@link PolicyError} `policy/tool-unknown`
 */
export function checkScopeNames(
  scope: Scope<never>,
  known: { has(name: string): boolean },
  where: string,
  last = false,
): void {
  const layers = layersOf(scope);
  for (const { allow, deny, exact } of last ? layers.slice(-1) : layers) {
    if (!exact) continue;
    for (const [list, names] of [
      ['deny', deny],
      ['allow', allow],
    ] as const) {
      for (const name of names ?? []) if (!known.has(name)) throw unknownName(`${where}.${list}`, name);
    }
  }
}

function unknownName(place: string, name: string): PolicyError {
  return new PolicyError(
    'policy/tool-unknown',
    `${place} names "${name}", and the gate has no such tool; correct it, or leave unknownNames: 'refuse' out where tools come and go.`,
  );
}

function toLayer(
  { allow, deny, exact }: Pick<ScopeParts<unknown>, keyof ScopeLayer>,
  before = false,
): ScopeLayer {
  return { allow, deny, exact: exact ?? before };
}

function layerOf<Context>(parts: ScopeParts<Context>): ApprovalLayer<Context>[] {
  if (parts.approve !== undefined) {
    return [{ approve: parts.approve, rank: EXECUTION_RANKS[parts.threshold ?? 'unclassified'] }];
  }
  if (parts.threshold === undefined) return [];
  return refuse("approvalThreshold needs approve; write approve: () => 'defer' to suspend such calls.");
}

function shorter(one: number | 'none', other: number | 'none'): number | 'none' {
  if (one === 'none') return other;
  return other === 'none' ? one : Math.min(one, other);
}

function refuse(message: string): never {
  throw new PolicyError('policy/scope-invalid', message);
}
