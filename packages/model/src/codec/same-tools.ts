import type { FunctionTool, ModelCall } from '../call/model-call.ts';
import { jsonKey } from '../projection/json-key.ts';
import type { LossLog } from './loss-log.ts';

/**
 * The call with each tool once, for providers that refuse two tools of one name. Only what is the very same is left out: of
 * two tools that differ, nobody can say which one is meant.
 */
export function withoutSameTools(call: ModelCall, losses: LossLog): ModelCall {
  const { tools } = call;
  if (!tools || tools.length < 2) return call;
  const first = new Map<string, FunctionTool>();
  const kept = tools.filter((tool, index) => {
    if (tool.kind !== 'function') return true;
    const earlier = first.get(tool.name);
    if (earlier === undefined) first.set(tool.name, tool);
    if (earlier === undefined || !isSame(earlier, tool)) return true;
    losses.add('dropped', '/tools', 'info', `a tool that is offered twice, at ${index}`);
    return false;
  });
  return kept.length === tools.length ? call : { ...call, tools: kept };
}

function isSame(left: FunctionTool, right: FunctionTool): boolean {
  return (
    left.description === right.description &&
    left.strict === right.strict &&
    jsonKey(left.parameters ?? null) === jsonKey(right.parameters ?? null)
  );
}
