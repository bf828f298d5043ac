import { createScope, EXECUTION_RANKS, type ExecutionClass, rankOf } from '@toolgate/core';
import type { FirewallConfig } from '../../config/firewall-config.ts';
import { compileNamePattern } from '../routes/name-pattern.ts';

/** The tool firewall of one route, ready to be asked. */
export interface FirewallPolicy {
  readonly mode: 'enforce' | 'observe';
  /** Whether the route lets a tool through, whatever a key may do. */
  permits(tool: string): boolean;
  classOf(tool: string): ExecutionClass;
  /** How long a decision may take; `undefined` when the call needs none. */
  approvalFor(tool: string, executionClass: ExecutionClass): { readonly lifetimeMs: number } | undefined;
  readonly onRefusal: 'replace' | 'feedback';
  /** Hidden rounds with the model after refusals. */
  readonly maxRounds: number;
}

/** Settings around the firewall of a route. */
export interface FirewallPolicyOptions {
  /** Where the firewall says nothing. */
  readonly lifetimeMs: number;
  /** Whether the route is written to be a mere passage; then a missing firewall holds nothing back. */
  readonly passthrough: boolean;
}

const HIGHEST: ExecutionClass = 'external';

/**
 * Compiles the firewall of a route. A route without one still holds calls, checks their arguments and asks the key's own
 * rules; only a written passage does not.
 */
export function createFirewallPolicy(
  config: FirewallConfig | undefined,
  { lifetimeMs, passthrough }: FirewallPolicyOptions,
): FirewallPolicy {
  if (config === undefined) {
    return Object.freeze({
      mode: passthrough ? ('observe' as const) : ('enforce' as const),
      permits: () => true,
      classOf: () => HIGHEST,
      approvalFor: () => undefined,
      onRefusal: 'replace' as const,
      maxRounds: 0,
    });
  }
  const scope = createScope({ allow: config.scope.allow, deny: config.scope.deny });
  const classes = config.classes.map((rule) => ({ test: compileNamePattern(rule.tool), class: rule.class }));
  const { approve } = config;
  const always = (approve?.tools ?? []).map(compileNamePattern);
  const rank = approve?.threshold === undefined ? undefined : EXECUTION_RANKS[approve.threshold];
  const lifetime = Object.freeze({ lifetimeMs: approve?.lifetimeMs ?? lifetimeMs });

  return Object.freeze({
    mode: config.mode,
    permits: (tool: string) => scope.judge({ name: tool, privileged: false }) === 'permitted',
    classOf: (tool: string) => classes.find(({ test }) => test(tool))?.class ?? HIGHEST,
    approvalFor(tool: string, executionClass: ExecutionClass) {
      const reached = rank !== undefined && rankOf(executionClass) >= rank;
      return reached || always.some((test) => test(tool)) ? lifetime : undefined;
    },
    onRefusal: config.onRefusal,
    maxRounds: config.maxRounds,
  });
}
