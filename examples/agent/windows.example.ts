// #region tools
import { type CallContext, createGate, createScope, defineTool, ToolError } from '@toolgate/core';

/** What tools may rely on. It comes from your code, never from the model, and is never stored. */
interface Caller {
  readonly user: string;
  readonly windows: ReadonlyMap<string, { readonly owner: string; startsAt: string }>;
}

const input = {
  type: 'object',
  properties: { service: { type: 'string', maxLength: 64 } },
  required: ['service'],
} as const;

const find = defineTool({
  name: 'find_window',
  description: 'Finds the maintenance window of a service that the caller may see.',
  profile: { class: 'read' },
  input,
  execute: ({ service }, { context: { user, windows } }: CallContext<Caller>) => {
    const window = windows.get(service);
    if (window?.owner !== user) throw new ToolError('There is no such service for this caller.');
    return { startsAt: window.startsAt };
  },
});

const move = defineTool({
  name: 'move_window',
  description: 'Moves the maintenance window of a service.',
  profile: { class: 'write', resourceKey: ({ service }) => JSON.stringify(service) },
  input: {
    ...input,
    properties: { ...input.properties, startsAt: { type: 'string', format: 'date-time' } },
    required: ['service', 'startsAt'],
  } as const,
  execute: ({ service, startsAt }, { context: { windows } }: CallContext<Caller>) => {
    const window = windows.get(service);
    if (window !== undefined) window.startsAt = startsAt;
    return 'moved';
  },
});

// What only reads runs at once; from `write` on somebody decides, later and perhaps elsewhere.
const scope = createScope<Caller>({ approve: () => 'defer', approvalThreshold: 'write' });
const gate = createGate<Caller>({ tools: [find, move], scope });

// #endregion

export { type Caller, gate };
