import {
  type Binding,
  bind,
  type CallContext,
  type Contract,
  ContractError,
  compileSchema,
  type ExecutionClass,
  guard,
  type IntakeNote,
  type Invocation,
  type JsonObject,
  type Tool,
  type ToolOutput,
} from '@toolgate/core';
import { FOREIGN, outputSchemaOf, takeDefinition } from '../intake/take-definition.ts';
import type { ServerLink } from '../lifecycle/server-link.ts';
import type { LockedTool } from '../lock/lock-file.ts';
import { McpError, type McpErrorCode } from '../mcp-error.ts';
import type { CallLimits } from './call-watch.ts';
import type { MountRule } from './mount-rule.ts';
import type { MountSettings } from './read-mount-config.ts';
import { callRemote, type RemoteTool } from './remote-call.ts';

/** A tool that can be called, and what was noticed on the way. */
export interface BoundTool<Context> {
  readonly binding: Binding<Context>;
  readonly notes: readonly IntakeNote[];
}

/** The class of a tool of which no rule says anything. */
export const DEFAULT_CLASS: ExecutionClass = 'external';
const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_TIMEOUT_MS = 600_000;
/** By so much the gate's deadline is later than ours, whose outcome names both limits. */
const MARGIN_MS = 1_000;

/**
 * Makes a tool of ours from a definition of a server. What decides about it comes from the rule alone.
 *
 * @throws {@link ContractError} for a definition that cannot be used; {@link PolicyError} is left to the gate.
 */
export function mountTool<Context>(
  locked: LockedTool,
  name: string,
  rule: MountRule<Context> | undefined,
  settings: MountSettings<Context>,
  link: ServerLink,
): BoundTool<Context> {
  const lenient = rule?.output === 'lenient';
  const { contract, rootMended } = takeDefinition(locked.definition, name, {
    withOutput: !lenient,
    close: rule?.unknownMembers === 'refuse',
  });
  const limits = callLimits(rule);
  const remote: RemoteTool = {
    server: settings.name,
    definition: locked.definition,
    digest: locked.digest,
    declaresOutput: outputSchemaOf(locked.definition) !== undefined,
    limits,
    link,
    clock: settings.clock,
    noteArguments: contract.intake.open === true ? unnamed(contract, settings) : () => undefined,
    check: lenient
      ? reportOnly(locked, name, settings)
      : contract.outputIntake === undefined
        ? () => undefined
        : demand,
  };
  const { maxTimeoutMs } = limits;
  const tool: Tool<Context> = Object.freeze({
    definition: () => contract.definition,
    call: (invocation: Invocation, call: CallContext<Context>) => callRemote(remote, invocation, call),
    profile: Object.freeze({
      class: rule?.class ?? DEFAULT_CLASS,
      timeoutMs: maxTimeoutMs === 'none' ? maxTimeoutMs : maxTimeoutMs + MARGIN_MS,
      ...(rule?.resourceKey === undefined ? {} : { resourceKey: rule.resourceKey }),
      ...(rule?.idempotent === undefined ? {} : { idempotent: rule.idempotent }),
    }),
    ...(rule?.privileged === undefined ? {} : { privileged: rule.privileged }),
    ...(rule?.resultBudget === undefined ? {} : { resultBudget: rule.resultBudget }),
    ...(rule?.available === undefined ? {} : { available: rule.available }),
  });
  const { authorize } = settings;
  const binding = bind(authorize === undefined ? tool : guard({ tool, authorizer: authorize }), FOREIGN);
  const mended: IntakeNote = {
    kind: 'normalised',
    pointer: '',
    detail: 'the root says no type and was read as an object',
  };
  const notes = [
    ...(rootMended ? [mended] : []),
    ...contract.intake.notes,
    ...(contract.outputIntake?.notes ?? []),
  ];
  return { binding, notes };
}

function callLimits<Context>(rule: MountRule<Context> | undefined): CallLimits {
  const timeoutMs = rule?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const least = timeoutMs === 'none' ? 0 : timeoutMs;
  return Object.freeze({
    timeoutMs,
    maxTimeoutMs: rule?.maxTimeoutMs ?? Math.max(DEFAULT_MAX_TIMEOUT_MS, least),
  });
}

/** The contract checks what is there; that something is there is checked here, where the fault has a name. */
function demand(output: ToolOutput): void {
  if (output.structured !== undefined) return;
  throw new ContractError('tool/output-invalid', 'The result lacks its structured content.', {
    cause: new McpError(
      'mcp/structured-missing',
      'A tool declares an output schema and sent no structured content.',
    ),
  });
}

/** Tells of arguments that a schema lets through without naming them; what they are called is not told. */
function unnamed<Context>(
  { definition: { name: tool, inputSchema } }: Contract,
  { name: server, observe }: MountSettings<Context>,
): (args: JsonObject) => void {
  const { properties = {}, patternProperties } = inputSchema;
  if (patternProperties !== undefined) return () => undefined;
  const named = new Set(Object.keys(properties as JsonObject));
  return (args) => {
    const count = Object.keys(args).filter((member) => !named.has(member)).length;
    if (count > 0) observe({ kind: 'arguments-unnamed', server, tool, count });
  };
}

/** Compiles the declared schema, and tells of results that break it. */
function reportOnly<Context>(
  { definition }: LockedTool,
  tool: string,
  { name: server, observe }: MountSettings<Context>,
): (output: ToolOutput) => void {
  const outputSchema = outputSchemaOf(definition);
  if (outputSchema === undefined) return () => undefined;
  const schema = compileSchema(outputSchema, FOREIGN);
  const tell = (code: McpErrorCode): void => observe({ kind: 'result-unchecked', server, tool, code });
  return ({ structured }) => {
    if (structured === undefined) tell('mcp/structured-missing');
    else if (!schema.check(structured)) tell('mcp/result-invalid');
  };
}
