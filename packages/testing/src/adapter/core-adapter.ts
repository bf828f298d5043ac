import {
  type ApprovalDecision,
  type ApprovalGrant,
  type Binding,
  bind,
  createGate,
  createGrant,
  createScope,
  defineTool,
  type ExecuteOptions,
  emptyOutput,
  GateError,
  type GateSession,
  guard,
  isToolOutput,
  jsonOutput,
  type Outcome,
  type Scope,
  type ScopeOptions,
  type Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolOutput,
  textOutput,
} from '@toolgate/core';
import {
  type CallReport,
  type CorpusAdapter,
  type CorpusSetup,
  type CorpusTool,
  VERDICTS,
} from '../corpus/corpus-adapter.ts';

/** Everything that a corpus tool declares, right or wrong: it is for the core to find out. */
type Declarations = Readonly<Record<string, unknown>>;

function profileOf({ spec }: CorpusTool): Declarations {
  const { class: executionClass, timeoutMs, resourceKey } = spec;
  const key =
    typeof resourceKey === 'object'
      ? (args: Readonly<Record<string, unknown>>) => String(args[resourceKey.member])
      : resourceKey;
  const profile = { class: executionClass, timeoutMs, resourceKey: key };
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  return given.length === 0 ? {} : { profile: Object.fromEntries(given) };
}

function capabilitiesOf(tool: CorpusTool): Declarations {
  const { privileged, resultBudget } = tool.spec;
  return {
    ...profileOf(tool),
    ...(privileged === undefined ? {} : { privileged }),
    ...(resultBudget === undefined ? {} : { resultBudget }),
    ...(tool.available === undefined ? {} : { available: tool.available }),
  };
}

const validatorOf = ({ validate }: CorpusTool): Declarations =>
  validate === undefined
    ? {}
    : {
        inputValidator: () => (value: unknown) => {
          const refused = validate(value);
          if (!Array.isArray(refused)) return refused;
          if (refused.length === 0) return { kind: 'valid' };
          return { kind: 'invalid', issues: refused.map((message: unknown) => ({ message })) };
        },
      };

/** The typed way: a function with a schema. */
function declare(tool: CorpusTool): Tool {
  const { inputSchema, outputSchema, ...definition } = tool.definition;
  const config: Declarations = {
    ...definition,
    ...capabilitiesOf(tool),
    input: inputSchema,
    ...(outputSchema === undefined ? {} : { output: outputSchema }),
    execute: tool.execute,
  };
  return { ...defineTool(config as unknown as Parameters<typeof defineTool>[0]), ...validatorOf(tool) };
}

function toOutput(result: unknown): ToolOutput {
  if (isToolOutput(result)) return result;
  if (typeof result === 'string') return textOutput(result);
  return result === undefined ? emptyOutput() : jsonOutput(result);
}

/** The protocol as it is: a definition and a call. Hostile definitions reach the core without being read before. */
function implement(tool: CorpusTool): Tool {
  const capabilities: Declarations = { ...capabilitiesOf(tool), ...validatorOf(tool) };
  return {
    ...capabilities,
    definition: () => tool.definition as unknown as ToolDefinition,
    call: async (invocation, context) => toOutput(await tool.execute(invocation.arguments(), context)),
  };
}

function toTool(tool: CorpusTool): Tool | Binding {
  const { authorize, spec } = tool;
  const plain = spec.shape === undefined ? declare(tool) : implement(tool);
  const guarded =
    authorize === undefined
      ? plain
      : guard({ tool: plain, authorizer: (authorization) => authorize(authorization) as boolean });
  return spec.trust === 'foreign' ? bind(guarded, { trust: 'foreign' }) : guarded;
}

function toScope({ policy, approve }: CorpusSetup): Scope {
  const { approver, ...options } = policy;
  const asked =
    approver === undefined ? {} : { approve: (request: never) => approve(request) as ApprovalDecision };
  return createScope({ ...options, ...asked } as ScopeOptions);
}

function toReport(outcome: Outcome): CallReport {
  // The name and the id are what the model proposed; the record is judged by what the core adds to them.
  const { name: _name, callId: _callId, ...said } = outcome;
  const modelText = outcome.kind === 'suspended' ? '' : outcome.output.text();
  return { verdict: VERDICTS[outcome.kind], reason: outcome.reason, modelText, record: JSON.stringify(said) };
}

/** A session, and what is needed to decide about the calls that it suspended. */
export interface CoreSystem {
  readonly session: GateSession;
  /** By the id of the suspended call. A grant is made once, as a store of approvals would make it. */
  readonly grants: Map<string, ApprovalGrant>;
}

/** Makes a gate for each case, and a session for each run. */
async function openSystem(setup: CorpusSetup): Promise<CoreSystem> {
  const gate = createGate({ tools: setup.tools.map(toTool), scope: toScope(setup), clock: setup.clock });
  const session = await gate.open({ context: undefined, signal: setup.signal });
  return { session, grants: new Map() };
}

function report({ grants }: CoreSystem, outcome: Outcome): CallReport {
  if (outcome.kind === 'suspended' && !grants.has(outcome.callId)) {
    grants.set(outcome.callId, createGrant(outcome.approval));
  }
  return toReport(outcome);
}

/** Reports for a turn that ended the run: what became of the siblings is known all the same. */
function reportEnd(system: CoreSystem, calls: readonly ToolCall[], error: unknown): readonly CallReport[] {
  if (!GateError.is(error) || error.outcomes === undefined || calls.length === 1) throw error;
  return error.outcomes.map((outcome, index) =>
    error.callId === calls[index]?.id
      ? { verdict: 'ended', reason: error.code, modelText: '' }
      : report(system, outcome),
  );
}

/**
 * The gate of `@toolgate/core` as a system under test. It supports everything and keeps the time of the runner.
 *
 * @param path - Whether a call that is alone in its turn goes through `execute` or through `executeAll`.
 */
export function createCoreAdapter(path: 'execute' | 'executeAll' = 'execute'): CorpusAdapter<CoreSystem> {
  return {
    name: `@toolgate/core (${path})`,
    supports: 'everything',
    time: 'fake',
    register: openSystem,
    execute: async (system, calls) => {
      const { session } = system;
      const [only] = calls;
      if (path === 'execute' && calls.length === 1 && only !== undefined) {
        return [report(system, await session.execute(only))];
      }
      try {
        return (await session.executeAll(calls)).map((outcome) => report(system, outcome));
      } catch (error) {
        return reportEnd(system, calls, error);
      }
    },
    resume: async (system, call, { of, decision }) => {
      const grant = system.grants.get(of);
      if (grant === undefined) throw new RangeError(`no call ${of} was suspended`);
      const options: ExecuteOptions = decision === 'allow' ? { grant } : { decision };
      return report(system, await system.session.execute(call, options));
    },
    advertised: ({ session }) => session.definitions,
    close: ({ session }) => session.close(),
  };
}
