import type { AgentSettings } from '../agent-config.ts';
import type { LoopRules } from './loop-rules.ts';

/** What a loop decides by, from the settings of its agent. */
export function toLoopRules<Context>({
  gate,
  limits,
  closingTurn,
  stopAfterTools,
}: AgentSettings<Context>): LoopRules {
  return {
    maxTurns: toData(limits.maxTurns),
    maxTokens: toData(limits.maxTokens),
    maxDurationMs: toData(limits.maxDurationMs),
    maxCallsPerTurn: toData(limits.maxCallsPerTurn),
    maxCallsPerTool: Object.fromEntries(limits.maxCallsPerTool),
    maxRepeats: toData(limits.maxRepeats),
    maxFruitlessTurns: toData(limits.maxFruitlessTurns),
    closingTurn,
    stopAfterTools: [...stopAfterTools],
    repeatable: gate.tools
      .filter(({ profile }) => profile.class === 'read' || profile.idempotent)
      .map(({ contract }) => contract.definition.name),
  };
}

function toData(limit: number): number | null {
  return limit === Number.POSITIVE_INFINITY ? null : limit;
}
