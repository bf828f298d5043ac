// #region tools
import { defineTool } from '@toolgate/core';

export const tools = [
  defineTool({
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
  }),
];
// #endregion
