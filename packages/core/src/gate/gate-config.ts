import type { Scope } from '../policy/scope.ts';
import type { Binding } from '../tool/binding.ts';
import type { ResultBudget } from '../tool/profile.ts';
import type { Tool } from '../tool/tool.ts';
import type { Clock } from './clock.ts';
import type { GateObserver } from './gate-event.ts';
import type { Redactor } from './redactor.ts';
import type { Repair } from './repair.ts';
import type { ResultStore } from './result-store.ts';

/** Bounds that hold for every tool of a gate. Each has a default, and `'none'` has to be written. */
export interface GateLimits {
  /** Calls of one `executeAll` that may run; the others are refused by name. Default 128. */
  readonly maxCallsPerTurn?: number | 'none';
  /** For tools that declare no result budget. Default 262,144 bytes of text, cut when there is more. */
  readonly resultBudget?: ResultBudget;
  /** Characters of base64 in one result, whatever the tool. Default 8,388,608. */
  readonly maxMediaBytes?: number | 'none';
  /** How long an availability policy, an authorizer or the result store may take, in milliseconds. Default 60,000. */
  readonly policyTimeoutMs?: number | 'none';
}

/** What a gate is made of. Read once and copied; an unknown field is refused. */
export interface GateConfig<Context = unknown> {
  /** In the order in which they are advertised. Bindings are for tools that were bound with options of their own. */
  readonly tools: readonly (Tool<Context> | Binding<Context>)[];
  /** Default: every tool that is not privileged, without approvals. */
  readonly scope?: Scope<Context>;
  /** Calls of one session that run at the same time. Default 8. */
  readonly concurrency?: number;
  /**
   * How calls that may run at the same time are ordered. In both ways, calls with the same resource key never overlap,
   * in the whole gate, and keep the order in which they were proposed.
   *
   * `by-class` (the default), for calls of one session without a key: `read` and `external` overlap; `unclassified`
   * ones run one at a time; a `write`, or a class that is not in the list, is a barrier: what was proposed before it
   * ends first, what was proposed after it waits. A call that awaits an approval keeps its place.
   *
   * `parallel`: only resource keys order calls.
   */
  readonly scheduling?: 'by-class' | 'parallel';
  /** Time that a running handler has to settle after a cancellation, in milliseconds. Default 5,000. */
  readonly graceMs?: number;
  readonly limits?: GateLimits;
  /** Hears of every step of every call, in order. What it throws or rejects with changes nothing. */
  readonly observe?: GateObserver;
  /** Whether events carry arguments, results and causes. Default `'none'`. */
  readonly content?: 'none' | 'full';
  /** Applied to every output, and to what errors, schemas and reviewers say to the model. Default: nothing is redacted. */
  readonly redact?: Redactor;
  /** Asked once about arguments that were refused. Default: nothing is repaired. */
  readonly repair?: Repair<Context>;
  /** Keeps results that are larger than their budget. */
  readonly resultStore?: ResultStore;
  /** Default: the platform's. */
  readonly clock?: Clock;
  /**
   * Makes ids of sessions and approval requests; never twice the same. Where it fails for a request, the session ends with its
   * error. Default: random UUIDs.
   */
  readonly ids?: () => string;
}

/** Default of `limits.resultBudget`. */
export const DEFAULT_RESULT_BUDGET: ResultBudget = Object.freeze({ bytes: 262_144, overflow: 'truncate' });
