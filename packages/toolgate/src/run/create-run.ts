import { type Agent, createAgent } from '@toolgate/agent';
import { type Binding, createGate, createRedactor, createScope } from '@toolgate/core';
import type { Model } from '@toolgate/model';
import type { McpTools } from '../mcp/load-mcp-tools.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { checkNames } from './check-names.ts';
import { createModel } from './create-model.ts';
import { createReviewer, type Reviewer } from './create-reviewer.ts';
import { loadTools } from './load-tools.ts';
import { printCauses } from './print-causes.ts';
import type { RunPlan } from './run-plan.ts';
import type { StateHome } from './state-home.ts';

/** What a plan becomes in this process. */
export interface PreparedRun {
  readonly agent: Agent;
  readonly reviewer: Reviewer;
  /** Ends the servers whose tools are used. */
  readonly close: () => Promise<void>;
}

/** How a plan is prepared. */
export interface PrepareOptions {
  /** Turns of the model that other processes did. */
  readonly turnsBefore: number;
  /** Where the key and the decisions of suspended runs are kept; absent when the run cannot wait. */
  readonly home: StateHome | undefined;
  /** Print why handlers failed. */
  readonly debug: boolean;
}

/** Makes model, tools, gate and agent of a plan. No tool runs yet; servers are started, and have to be closed. */
export async function prepareRun(plan: RunPlan, io: CliIo, options: PrepareOptions): Promise<PreparedRun> {
  const { model, secrets } = await createModel(plan.model, io, options.turnsBefore);
  const tools = await loadTools(plan.tools);
  const servers = await loadServers(plan, io);
  try {
    const used = { model, tools: [...tools, ...servers.tools], secrets: [...secrets, ...servers.secrets] };
    const assembled = assemble(plan, used, io, options);
    await checkNames(plan, used.tools, io);
    return { ...assembled, close: servers.close };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

const NO_SERVERS: McpTools = Object.freeze({ tools: [], secrets: [], close: async () => undefined });

async function loadServers({ mcp = [] }: RunPlan, io: CliIo): Promise<McpTools> {
  if (mcp.length === 0) return NO_SERVERS;
  const { loadMcpTools } = await import('../mcp/load-mcp-tools.ts');
  return loadMcpTools(mcp, io);
}

interface Used {
  readonly model: Model;
  readonly tools: readonly Binding[];
  readonly secrets: readonly string[];
}

function assemble(
  plan: RunPlan,
  { model, tools, secrets }: Used,
  io: CliIo,
  { home, debug }: PrepareOptions,
): Omit<PreparedRun, 'close'> {
  const reviewer = createReviewer({ rule: plan.approve, io, canWait: home !== undefined });
  const scope = createScope({
    allow: plan.allow,
    deny: plan.deny,
    ...(plan.approve === 'none' ? {} : { approve: reviewer.approve }),
  });
  const gate = createGate({
    tools,
    scope,
    redact: createRedactor({ secrets: secrets.filter(({ length }) => length >= MIN_SECRET) }),
    ...(debug ? { observe: printCauses(io), content: 'full' as const } : {}),
  });
  const agent = createAgent({
    model,
    gate,
    limits: { maxTurns: plan.maxTurns },
    ...(plan.instructions === null ? {} : { instructions: plan.instructions }),
    ...(home === undefined ? {} : { stateKey: home.key, claimDecision: home.claim }),
  });
  return { agent, reviewer };
}

/** A redactor takes no secret that is shorter; one that short protects nothing. */
const MIN_SECRET = 4;
