import type { CorpusCase, CorpusToolSpec } from './corpus-case.ts';

/** Everything that a case may ask a system to express, with what it means. */
export const CAPABILITIES = {
  'output-schema': 'a tool may declare a schema of its result, which is enforced',
  defaults: 'members with a default are filled in before the handler sees the arguments',
  'input-validator': 'a tool may have admission rules of its own besides the schema',
  timeout: 'a tool may have a deadline of its own',
  cancel: 'a run can be cancelled',
  'result-budget': 'a tool may have a bound on its result',
  class: 'a tool may say how much it can do to the world, or which resource it uses',
  'public-error': 'a handler may throw text that is meant for the model, or state its outcome',
  'permanent-error': 'a handler may end the run',
  scope: 'a run may be restricted to some tools',
  privileged: 'a tool may need to be allowed by name',
  availability: 'a tool may be offered to some callers only',
  authorizer: 'a policy may be asked before every execution',
  approval: 'a call may need a yes',
  'approval-defer': 'a decision may be left for later',
  'approval-resume': 'a suspended call may be made again with a decision',
  'approval-edit': 'whoever approves may change the arguments',
  parts: 'a result may hold images and other parts besides text',
  incomplete: 'a call may be marked as cut off',
  turn: 'several calls of one turn are executed together',
  'foreign-schema': 'a definition may be marked as written by somebody else',
  clock: 'the system keeps time by a clock that it is given',
  advertise: 'the system can say which tools it offers',
} as const;

/** Something that a system must be able to express for a case to be put to it. */
export type Capability = keyof typeof CAPABILITIES;

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
