import { quoteShort } from '../json/quote-short.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { Approver } from './approval.ts';
import { EXECUTION_RANKS, isExecutionClass } from './execution-rank.ts';
import { PolicyError } from './policy-error.ts';

/** What a scope is made of. Every field is optional; a field that is not listed here is refused. */
export interface ScopeOptions<Context = unknown> {
  /** Names that may be used. Absent or empty: every tool that is neither denied nor privileged. */
  readonly allow?: readonly string[];
  /** Names that may not be used, whatever `allow` says. */
  readonly deny?: readonly string[];
  /**
   * What becomes of a name in `allow` or `deny` that no tool of the gate has. Default `'allow'`: it changes nothing, since
   * a scope may be for several gates, and tools come and go. `'refuse'` is for a scope of one gate, where such a name is
   * misspelt and would deny nothing. A narrowing that says nothing does as the scope that it narrows.
   */
  readonly unknownNames?: 'refuse' | 'allow';
  /** Decides on calls at or above the threshold. Absent: no call needs an approval. */
  readonly approve?: Approver<Context>;
  /** The lowest class whose calls are put to `approve`. Default `'unclassified'`: all of them. */
  readonly approvalThreshold?: ExecutionClass;
  /** How long a decision may take, in milliseconds. Default one hour; `'none'` for no bound has to be written. */
  readonly approvalLifetimeMs?: number | 'none';
}

/** Options after the door: copied and validated. */
export interface ScopeParts<Context> {
  /** `undefined` when nothing was listed. */
  readonly allow: ReadonlySet<string> | undefined;
  readonly deny: ReadonlySet<string>;
  /** Whether a name that no tool of the gate has is a fault; `undefined` when nothing was said. */
  readonly exact: boolean | undefined;
  readonly approve: Approver<Context> | undefined;
  readonly threshold: ExecutionClass | undefined;
  readonly lifetimeMs: number | 'none' | undefined;
}

const FIELDS = [
  'allow',
  'deny',
  'unknownNames',
  'approve',
  'approvalThreshold',
  'approvalLifetimeMs',
] as const;
const KNOWN: ReadonlySet<string> = new Set(FIELDS);
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads each field once.
 *
 * @throws {@link PolicyError} `policy/scope-invalid`, `policy/threshold-unknown`.
 */
export function readScopeOptions<Context>(options: ScopeOptions<Context>): ScopeParts<Context> {
  if (typeof options !== 'object' || options === null)
    refuse('A scope is made of an object; write {} for no rule.');
  const { allow, deny, unknownNames, approve, approvalThreshold, approvalLifetimeMs, ...others } = options;
  const unknown = Object.keys(others).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    refuse(`A scope has an unknown field ${quoteShort(unknown, 40)}; it takes ${FIELDS.join(', ')}.`);
  }
  if (unknownNames !== undefined && unknownNames !== 'refuse' && unknownNames !== 'allow') {
    refuse('unknownNames is refuse or allow.');
  }
  if (approve !== undefined && typeof approve !== 'function') refuse('approve is a function.');
  if (approvalThreshold !== undefined && !isExecutionClass(approvalThreshold)) {
    const classes = Object.keys(EXECUTION_RANKS).join(', ');
    throw new PolicyError('policy/threshold-unknown', `approvalThreshold is one of ${classes}.`);
  }
  const allowed = readNames('allow', allow);
  return {
    allow: allowed.size === 0 ? undefined : allowed,
    deny: readNames('deny', deny),
    exact: unknownNames === undefined ? undefined : unknownNames === 'refuse',
    approve,
    threshold: approvalThreshold,
    lifetimeMs: readLifetime(approvalLifetimeMs),
  };
}

function readNames(field: string, value: readonly string[] | undefined): ReadonlySet<string> {
  if (value === undefined) return new Set();
  if (!Array.isArray(value)) refuse(`${field} is an array of tool names.`);
  const names = new Set<string>();
  for (const name of Array.from<unknown>(value)) {
    // A pattern or a misspelt character would match no tool at all, which in a deny list is a hole.
    if (typeof name !== 'string' || !NAME.test(name)) {
      refuse(`${field} holds exact tool names (1 to 64 of A-Z a-z 0-9 _ -); there are no patterns.`);
    }
    names.add(name);
  }
  return names;
}

function readLifetime(value: number | 'none' | undefined): number | 'none' | undefined {
  if (value === undefined || value === 'none') return value;
  if (Number.isSafeInteger(value) && value > 0) return value;
  return refuse("approvalLifetimeMs is a positive whole number of milliseconds, or 'none' for no bound.");
}

function refuse(message: string): never {
  throw new PolicyError('policy/scope-invalid', message);
}
