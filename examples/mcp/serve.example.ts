// #region serve
import { createGate, defineTool } from '@toolgate/core';
import { type McpService, serveMcp } from '@toolgate/mcp';

const add = defineTool({
  name: 'add',
  description: 'Adds two integers.',
  profile: { class: 'read' },
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: ({ a, b }) => a + b,
});

/** Serves a tool over HTTP to one caller, who is known by a token. */
export function serveAdd(token: string): McpService {
  return serveMcp(createGate({ tools: [add] }), {
    authenticate: (request) =>
      request.headers.get('authorization') === `Bearer ${token}`
        ? { kind: 'accepted', principal: 'alice', context: {} }
        : { kind: 'refused' },
  });
}
// #endregion
