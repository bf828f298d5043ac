import { type McpService, serveMcp } from '../../src/serve/serve-mcp.ts';
import { everythingExtension } from './everything-extension.ts';
import { everythingGate } from './everything-gate.ts';

/** The server that the conformance suite is run against. It lets everybody in: the suite has no credentials. */
export function everythingService(): McpService {
  const service: McpService = serveMcp(
    everythingGate(() => service.replaceGate(everythingGate(() => undefined))),
    {
      authenticate: () => ({ kind: 'accepted', principal: 'suite', context: undefined }),
      approvalPrompt: { kind: 'form' },
      extensions: [everythingExtension],
    },
  );
  return service;
}
