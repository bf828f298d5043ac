import { refuse } from '../http/refusal.ts';
import { type AdminEndpoint, json } from './admin-endpoint.ts';
import { reloadFault } from './last-reload.ts';

/** Addresses about the gateway itself. */
export const gatewayEndpoints: readonly AdminEndpoint[] = [
  {
    method: 'GET',
    path: '/api/status',
    operation: 'showStatus',
    summary:
      'Whether the gateway serves, from which configuration and with which MCP servers, what became of the last reload, and what it had to drop.',
    answers: { 200: 'The status.' },
    handle: async (_request, { draining, generation, lastReload, servers, stores }) => {
      const last = lastReload();
      return json({
        generation: generation(),
        draining: draining(),
        storage: await stores.ping(),
        audit: await stores.audit.head(),
        servers: servers().map(({ name, state }) => ({ name, state })),
        dropped: { calls: stores.calls.dropped, traffic: stores.traffic.dropped },
        ...(last === undefined ? {} : { lastReload: last }),
      });
    },
  },
  {
    method: 'GET',
    path: '/api/tools',
    operation: 'listTools',
    summary: 'Mounted servers, their tools, what was found in them and how they differ from the review.',
    answers: { 200: 'The servers.' },
    handle: async (_request, { tools }) => json(tools()),
  },
  {
    method: 'POST',
    path: '/api/reload',
    operation: 'reloadConfig',
    summary:
      'Reads the configuration again. A bad one leaves the last good one serving. `needsRestart` says what of a good one does not hold yet.',
    body: { type: 'object', additionalProperties: false },
    bodyOptional: true,
    answers: { 200: 'The new one serves.', 409: 'The last good one goes on serving.' },
    handle: async ({ principal }, { reload }) => {
      if (reload === undefined) {
        const detail = 'The configuration came from no file.';
        return { kind: 'refused', refusal: refuse('entry_invalid', { detail }) };
      }
      const result = await reload(principal.id);
      if (result.kind === 'published') {
        const { needsRestart, number: generation } = result;
        return json({ published: true, generation, ...(needsRestart === undefined ? {} : { needsRestart }) });
      }
      const { error, number: generation } = result;
      return json({ published: false, generation, ...reloadFault(error) }, 409);
    },
  },
];
