import type { AgentSettings } from '../agent-config.ts';
import type { LoopRules } from './loop-rules.ts';

/** What a loop decides by, from the settings of its agent. */
export function toLoopRules<Context>(
  { gate, limits, closingTurn, stopAfterTools }: AgentSettings<Context>,
  { waitForDecisions }: Pick<LoopRules, 'waitForDecisions'>,
): LoopRules {
  const repeatable = new Set(
    gate.tools
      .filter(({ profile }) => profile.class === 'read' || profile.idempotent)
      .map(({ contract }) => contract.definition.name),
  );
  return {
    ...limits,
    closingTurn,
    stopAfterTools,
    effectOf: (tool) => (repeatable.has(tool) ? 'repeatable' : 'once'),
    waitForDecisions,
  };
}
