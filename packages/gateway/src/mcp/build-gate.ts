import {
  type Binding,
  type Clock,
  createGate,
  createScope,
  EXECUTION_RANKS,
  type ExecutionClass,
  foldToolName,
  type Gate,
  type GateObserver,
  rankOf,
} from '@toolgate/core';
import type { RecordedTool } from './call-recorder.ts';
import type { McpCaller } from './mcp-exchange.ts';
import type { MountedServer } from './mount-lease.ts';
import type { ServedTool } from './store-desk.ts';

/** What gates of the MCP surface have in common. */
export interface McpGateOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly lifetimeMs: number;
  readonly observe: (toolOf: (name: string) => RecordedTool | undefined) => GateObserver;
}

/** A gate over some servers, and what its tools are. */
export interface McpGate {
  readonly gate: Gate<McpCaller>;
  readonly tools: ReadonlyMap<string, ServedTool & RecordedTool>;
}

/**
 * Makes the gate of some servers from the tools that they offer now. A call whose class reaches the threshold of its
 * server is suspended. Of two tools with one name, or with names that look alike, the first one is served.
 */
export function buildMcpGate(servers: readonly MountedServer[], options: McpGateOptions): McpGate {
  const { clock, lifetimeMs, newId } = options;
  const bindings: Binding<McpCaller>[] = [];
  const owners = new Map<string, MountedServer>();
  const folds = new Set<string>();
  for (const server of servers) {
    for (const binding of server.mount.tools) {
      const { name } = binding.contract.definition;
      const fold = foldToolName(name);
      if (folds.has(fold)) continue;
      folds.add(fold);
      owners.set(name, server);
      bindings.push(binding);
    }
  }
  const tools = new Map<string, ServedTool & RecordedTool>();
  const thresholds = servers.flatMap(({ config }) => config.approvalThreshold ?? []);
  const lowest = thresholds.reduce<ExecutionClass | undefined>(lower, undefined);
  const gate = createGate<McpCaller>({
    tools: bindings,
    clock,
    ids: newId,
    content: 'full',
    observe: options.observe((name) => tools.get(name)),
    ...(lowest === undefined
      ? {}
      : {
          scope: createScope<McpCaller>({
            approvalThreshold: lowest,
            approvalLifetimeMs: lifetimeMs,
            approve: ({ class: executionClass, tool }) => {
              const threshold = owners.get(tool)?.config.approvalThreshold;
              const free = threshold !== undefined && rankOf(executionClass) < EXECUTION_RANKS[threshold];
              return free || (threshold === undefined && owners.has(tool)) ? 'allow' : 'defer';
            },
          }),
        }),
  });
  for (const { contract, profile } of gate.tools) {
    const { definition, digest } = contract;
    const server = owners.get(definition.name)?.config.name ?? '';
    tools.set(definition.name, { server, definition, class: profile.class, contractDigest: digest });
  }
  return Object.freeze({ gate, tools });
}

function lower(one: ExecutionClass | undefined, other: ExecutionClass): ExecutionClass {
  return one === undefined || EXECUTION_RANKS[other] < EXECUTION_RANKS[one] ? other : one;
}
