import { type CallContext, createGate, defineTool } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { createAgent } from './create-agent.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';

interface Caller {
  readonly user: string;
}

const model = createScriptedModel({ turns: [] });
const input = { type: 'object' } as const;
const free = defineTool({ name: 'free', description: 'Needs nothing.', input, execute: () => 1 });
const bound = defineTool({
  name: 'bound',
  description: 'Needs a caller.',
  input,
  execute: (_, { context }: CallContext<Caller>) => context.user,
});

// A gate whose tools need nothing: options may be left out, and any context will do.
const anyone = createAgent({ model, gate: createGate({ tools: [free] }) });
void anyone.run('go');
void anyone.stream('go', { context: 7 });

// A gate with a tool that needs a caller: the context is required, and of that type.
const gate = createGate<Caller>({ tools: [free, bound] });
const someone = createAgent({ model, gate });
void someone.run('go', { context: { user: 'ada' } });
void someone.run('go', { context: { user: 'ada', more: true } as Caller & { readonly more: boolean } });
// @ts-expect-error -- the context is missing
void someone.run('go');
// @ts-expect-error -- the context is missing
void someone.stream('go', {});
// @ts-expect-error -- the context is of another type
void someone.run('go', { context: { user: 7 } });
// @ts-expect-error -- so it is when a run is resumed
void someone.resume({} as never, [], { context: {} });
// @ts-expect-error -- an agent for another context cannot have this gate
createAgent<{ readonly tenant: string }>({ model, gate });

// A durable agent has to know where the context comes from.
createDurableAgent({ model, gate }, { engine: createMemoryEngine, contextOf: () => ({ user: 'ada' }) });
createDurableAgent({ model, gate: createGate({ tools: [free] }) }, { engine: createMemoryEngine });
// @ts-expect-error -- contextOf is missing
createDurableAgent({ model, gate }, { engine: createMemoryEngine });
// @ts-expect-error -- contextOf gives something else
createDurableAgent({ model, gate }, { engine: createMemoryEngine, contextOf: () => ({ user: 7 }) });
createDurableAgent(
  // @ts-expect-error -- states of a journal are not signed
  { model, gate, stateKey: 'k' },
  { engine: createMemoryEngine, contextOf: () => ({ user: 'ada' }) },
);

// A decision is one of three forms.
void anyone.resume({} as never, [{ approvalId: 'a', decision: 'edit', arguments: '{}' }]);
// @ts-expect-error -- an edit has arguments
void anyone.resume({} as never, [{ approvalId: 'a', decision: 'edit' }]);
// @ts-expect-error -- true is no decision
void anyone.resume({} as never, [{ approvalId: 'a', decision: true }]);
