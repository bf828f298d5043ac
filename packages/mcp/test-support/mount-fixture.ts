import { type CallContext, createGate, type GateConfig, type Outcome } from '@toolgate/core';
import { onTestFinished } from 'vitest';
import type { MountConfig } from '../src/mount/mount-config.ts';
import { type McpMount, mountMcp } from '../src/mount/mount-mcp.ts';
import { type Script, ScriptedServer } from './scripted-server.ts';

/** Mounts a server until the test is over. */
export async function mountFixture(
  config: Omit<MountConfig, 'name' | 'lock'> & Partial<Pick<MountConfig, 'name' | 'lock'>>,
): Promise<McpMount> {
  const mount = await mountMcp({ name: 'server', lock: 'off', ...config });
  onTestFinished(() => mount.close());
  return mount;
}

/** Mounts a scripted server until the test is over. */
export async function mountScript(
  script: Script,
  config: Omit<Partial<MountConfig>, 'transport'> = {},
): Promise<{ readonly server: ScriptedServer; readonly mount: McpMount }> {
  const server = new ScriptedServer(script);
  return { server, mount: await mountFixture({ ...config, transport: server.transport }) };
}

/** Calls a tool as a model would, through a gate with the tools as they are now. */
export type Caller = (tool: string, args?: unknown) => Promise<Outcome>;

/** Opens a gate on a mount: its list stays as it is now. */
export async function callerOf(
  mount: Pick<McpMount, 'tools'>,
  config: Partial<GateConfig> = {},
  signal?: AbortSignal,
): Promise<Caller> {
  const gate = createGate({ tools: mount.tools, graceMs: 200, ...config });
  const session = await gate.open(signal === undefined ? undefined : { context: undefined, signal });
  onTestFinished(async () => {
    await session.close();
  });
  let count = 0;
  return (tool, args = {}) => {
    count += 1;
    return session.execute({ id: `call-${count}`, name: tool, arguments: JSON.stringify(args) });
  };
}

/** Calls a tool past every gate. */
export async function callDirectly(
  mount: Pick<McpMount, 'tools'>,
  tool: string,
  args: unknown = {},
  call: Partial<CallContext> = {},
): Promise<unknown> {
  const binding = mount.tools.find(({ contract }) => contract.definition.name === tool);
  const prepared = binding?.contract.prepare({ id: 'c1', name: tool, arguments: JSON.stringify(args) });
  if (binding === undefined || prepared?.ok !== true) throw new Error(`${tool} cannot be called so.`);
  const context = { signal: new AbortController().signal, context: undefined, ...call };
  return binding.tool.call(prepared.invocation, context);
}

/** The text that a model gets. */
export function textOf(outcome: Outcome): string {
  return outcome.kind === 'suspended' ? '' : outcome.output.text();
}

/** Everything that leaves the gate with an outcome. */
export function leaving(outcome: Outcome): string {
  return JSON.stringify(outcome);
}

/** What a promise rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The promise was fulfilled.');
}
