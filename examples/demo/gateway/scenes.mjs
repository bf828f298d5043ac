// Four requests as a client sends them.

/**
 * @typedef {object} GatewayScene
 * @property {string} title
 * @property {string} model
 * @property {string} say
 * @property {string} [tool] Offered to the model.
 * @property {boolean} [waits] Whether it needs a yes.
 */

/** @type {readonly GatewayScene[]} */
export const gatewayScenes = [
  {
    title: 'a call that may pass',
    model: 'assistant',
    say: 'Please call look_up with {"text":"launch"}.',
    tool: 'look_up',
  },
  {
    title: 'a call of a tool that is denied',
    model: 'assistant',
    say: 'Please call delete_account with {"text":"ada"}.',
    tool: 'delete_account',
  },
  {
    title: 'a call that needs a yes',
    model: 'assistant',
    say: 'Please call send_mail with {"text":"The launch is on Wednesday."}.',
    tool: 'send_mail',
    waits: true,
  },
  {
    title: 'an end through a control tool that the client never sees',
    model: 'worker',
    say: 'File both reports.',
    tool: 'look_up',
  },
];

/** A request of Chat Completions. @param {GatewayScene} scene */
export function bodyOf({ model, say, tool }) {
  const parameters = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  };
  return {
    model,
    messages: [{ role: 'user', content: say }],
    tools: tool === undefined ? [] : [{ type: 'function', function: { name: tool, parameters } }],
  };
}
