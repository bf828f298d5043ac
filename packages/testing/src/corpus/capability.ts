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
