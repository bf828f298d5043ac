import { defineTool, type Gate } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { createAgent } from '../src/create-agent.ts';

/** The application of these tests: maintenance windows of services. */
export interface Caller {
  readonly user: string;
  readonly windows: {
    readonly findAuthorized: (user: string, serviceId: string) => Promise<{ startsAt: string }>;
  };
}

/** Arguments of a lookup. */
export const query = {
  type: 'object',
  properties: {
    service_id: { type: 'string', minLength: 1, description: 'The service identifier supplied by the user.' },
    zone: { type: 'string', default: 'UTC' },
  },
  required: ['service_id'],
} as const;

/** Somebody who may look. */
export const caller: Caller = {
  user: 'ada',
  windows: { findAuthorized: async () => ({ startsAt: '2026-12-01T02:00:00Z' }) },
};

/** The tool that most tests are about. */
export const lookup = (
  execute: (serviceId: string, zone: string | undefined, caller: Caller) => unknown,
  available?: (caller: Caller) => boolean | Promise<boolean>,
) =>
  defineTool({
    name: 'lookup-window',
    description: 'Finds the authorized maintenance window for a service.',
    profile: { class: 'read' },
    input: query,
    ...(available === undefined ? {} : { available }),
    execute: ({ service_id, zone }, { context }: { readonly context: Caller }) =>
      execute(service_id, zone, context),
  });

/** A turn that calls it. */
export const asks = (args = '{"service_id":"checkout"}'): ScriptedTurn => ({
  calls: [{ name: 'lookup-window', arguments: args }],
});
/** The last turn. */
export const done: ScriptedTurn = { text: 'Done.' };

/** Runs a script over a gate. */
export async function run(gate: Gate<Caller>, turns: readonly ScriptedTurn[], context = caller) {
  const model = createScriptedModel({ turns });
  const result = await createAgent<Caller>({ model, gate }).run('Is checkout in maintenance?', { context });
  return { model, result, told: JSON.stringify(model.requests.at(-1)?.items) };
}
