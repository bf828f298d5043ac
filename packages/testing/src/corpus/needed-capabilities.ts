import type { Capability } from './capability.ts';
import type { CorpusCase, CorpusToolSpec } from './corpus-case.ts';

const PUBLIC_HANDLERS = /^(?:throw|reject):author-(?!permanent)/;
const PERMANENT_HANDLERS = /^(?:throw|reject):author-.*permanent/;
const PART_HANDLERS = /image/;

function* toolNeeds(tool: CorpusToolSpec): Generator<Capability> {
  if (tool.outputSchema !== undefined) yield 'output-schema';
  if (tool.validate !== undefined) yield 'input-validator';
  if (tool.timeoutMs !== undefined) yield 'timeout';
  if (tool.resultBudget !== undefined) yield 'result-budget';
  if (tool.class !== undefined || tool.resourceKey !== undefined) yield 'class';
  if (tool.privileged !== undefined) yield 'privileged';
  if (tool.available !== undefined) yield 'availability';
  if (tool.authorize !== undefined) yield 'authorizer';
  if (tool.trust === 'foreign') yield 'foreign-schema';
  const { handler = '' } = tool;
  if (PUBLIC_HANDLERS.test(handler)) yield 'public-error';
  if (PERMANENT_HANDLERS.test(handler)) yield 'permanent-error';
  if (PART_HANDLERS.test(handler)) yield 'parts';
}

function* caseNeeds(item: CorpusCase): Generator<Capability> {
  yield* item.needs ?? [];
  for (const tool of item.tools) yield* toolNeeds(tool);
  if (item.advertised !== undefined) yield 'advertise';
  if (item.cancel !== undefined) yield 'cancel';
  if (item.together === true && item.calls.length > 1) yield 'turn';
  if (item.calls.some((call) => call.complete === false)) yield 'incomplete';
  if (item.calls.some((call) => call.resume !== undefined)) yield 'approval-resume';
  if (item.calls.some((call) => call.resume?.afterMs !== undefined)) yield 'clock';
  if (item.policy?.allow !== undefined || item.policy?.deny !== undefined) yield 'scope';
  if (item.policy?.approver !== undefined) yield 'approval';
}

/** What a system must be able to express for this case: what its members imply, and its `needs`. Sorted, no repeats. */
export function neededCapabilities(item: CorpusCase): readonly Capability[] {
  return [...new Set(caseNeeds(item))].sort();
}
