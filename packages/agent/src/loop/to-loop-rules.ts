import type { AgentSettings } from '../agent-config.ts';
import { namesOfChoice } from './choice-names.ts';
import type { LoopRules } from './loop-rules.ts';
import { isForced } from './released-choice.ts';

/** What a loop decides by, from the settings of its agent. */
export function toLoopRules<Context>({
  gate,
  limits,
  closingTurn,
  stopAfterTools,
  call: { toolChoice },
}: AgentSettings<Context>): LoopRules {
  const choosable = namesOfChoice(toolChoice);
  const checks = gate.tools.flatMap(({ contract, profile: { checkWith } }) =>
    checkWith === undefined ? [] : [[contract.definition.name, checkWith] as const],
  );
  return {
    maxTurns: toData(limits.maxTurns),
    maxTokens: toData(limits.maxTokens),
    maxDurationMs: toData(limits.maxDurationMs),
    maxCallsPerTurn: toData(limits.maxCallsPerTurn),
    maxCallsPerTool: Object.fromEntries(limits.maxCallsPerTool),
    maxRepeats: toData(limits.maxRepeats),
    ...(limits.mayRepeat.length === 0 ? {} : { mayRepeat: limits.mayRepeat }),
    maxFruitlessTurns: toData(limits.maxFruitlessTurns),
    closingTurn,
    stopAfterTools: [...stopAfterTools],
    ...(choosable === undefined ? {} : { choosable }),
    ...(isForced(toolChoice, stopAfterTools) ? { forced: true } : {}),
    repeatable: gate.tools
      .filter(({ profile }) => profile.class === 'read' || profile.idempotent)
      .map(({ contract }) => contract.definition.name),
    ...(checks.length === 0 ? {} : { checkWith: Object.fromEntries(checks) }),
  };
}

function toData(limit: number): number | null {
  return limit === Number.POSITIVE_INFINITY ? null : limit;
}
