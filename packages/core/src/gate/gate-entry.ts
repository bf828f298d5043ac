import { type AvailabilityPolicy, availabilityOf } from '../policy/availability.ts';
import { isExecutionClass, rankOf } from '../policy/execution-rank.ts';
import { isPrivileged } from '../policy/privileged.ts';
import { profileOf, type ResolvedProfile } from '../policy/profile-of.ts';
import { resultBudgetOf } from '../policy/result-budget-of.ts';
import { type Binding, bind, isBinding } from '../tool/binding.ts';
import { authorizationOf } from '../tool/guard.ts';
import type { Tool } from '../tool/tool.ts';
import type { DeadlineLane, Deadlines } from './deadlines.ts';
import { GateError } from './gate-error.ts';
import type { OutputLimits } from './limit-output.ts';
import type { GateSettings } from './read-gate-config.ts';
import type { CallOrder } from './ticket.ts';

/** All that a gate knows about one of its tools, worked out once. */
export interface GateEntry<Context> {
  readonly name: string;
  readonly binding: Binding<Context>;
  readonly profile: ResolvedProfile;
  readonly privileged: boolean;
  readonly available: AvailabilityPolicy<Context> | undefined;
  readonly authorize: ReturnType<typeof authorizationOf<Context>>;
  /** Whether it has a policy or a guard to ask. */
  readonly guarded: boolean;
  readonly order: CallOrder;
  /** `undefined` when the tool may run without a bound. */
  readonly timeout: DeadlineLane | undefined;
  readonly limits: OutputLimits;
  readonly overflow: 'truncate' | 'fail' | 'store';
  readonly repairable: boolean;
}

/**
 * Binds a tool, unless it is bound, and reads its capabilities.
 *
 * @throws {@link ContractError} as `bind`; {@link PolicyError} for a capability that is declared wrongly;
 * {@link GateError} `gate/options-invalid` for a tool that wants its results stored where there is no store.
 */
export function toGateEntry<Context>(
  tool: Tool<Context> | Binding<Context>,
  settings: GateSettings<Context>,
  deadlines: Deadlines,
): GateEntry<Context> {
  const binding = isBinding(tool) ? tool : bind(tool);
  const profile = profileOf(binding.tool);
  const budget = resultBudgetOf(binding.tool) ?? settings.resultBudget;
  if (budget.overflow === 'store' && settings.resultStore === undefined) {
    throw new GateError('gate/options-invalid', "A result budget with overflow 'store' needs a resultStore.");
  }
  const available = availabilityOf(binding.tool);
  const authorize = authorizationOf(binding.tool);
  return Object.freeze({
    name: binding.contract.definition.name,
    binding,
    profile,
    privileged: isPrivileged(binding.tool),
    available,
    authorize,
    guarded: available !== undefined || authorize !== undefined,
    order: orderOf(profile, settings.byClass),
    timeout: profile.timeoutMs === 'none' ? undefined : deadlines.lane(profile.timeoutMs),
    limits: Object.freeze({
      textBytes: budget.bytes === 'none' ? Number.POSITIVE_INFINITY : budget.bytes,
      mediaBytes: settings.maxMediaBytes,
    }),
    overflow: budget.overflow,
    repairable: rankOf(profile.class) <= rankOf('read'),
  });
}

function orderOf(profile: ResolvedProfile, byClass: boolean): CallOrder {
  if (profile.resourceKey !== undefined) return 'keyed';
  if (!byClass) return 'free';
  if (!isExecutionClass(profile.class)) return 'barrier';
  switch (profile.class) {
    case 'read':
    case 'external':
      return 'free';
    case 'unclassified':
      return 'single';
    case 'write':
      return 'barrier';
  }
}
