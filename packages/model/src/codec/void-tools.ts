import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';

/**
 * The call without what speaks of tools where there are none: providers refuse an empty list, and a choice or a limit of
 * calls beside no list. A choice that demands a call stays, so that the provider says what is wrong.
 */
export function withoutVoidTools(call: ModelCall, losses: LossLog): ModelCall {
  const { tools, toolChoice, parallelToolCalls, ...rest } = call;
  if (tools !== undefined && tools !== null && tools.length > 0) return call;
  if (tools === undefined && toolChoice === undefined && parallelToolCalls === undefined) return call;
  const says = toolChoice?.mode !== 'auto' && toolChoice?.mode !== 'none';
  if (tools?.length === 0)
    losses.add('approximated', '/tools', 'info', 'an empty list of tools and none are the same here');
  if (!says) losses.add('dropped', '/toolChoice', 'info', 'there are no tools to choose from');
  if (typeof parallelToolCalls === 'boolean')
    losses.add('dropped', '/parallelToolCalls', 'info', 'there are no tools to call at once');
  return {
    ...rest,
    ...(tools === null ? { tools } : {}),
    ...(says && toolChoice !== undefined ? { toolChoice } : {}),
    ...(parallelToolCalls === null ? { parallelToolCalls } : {}),
  };
}
