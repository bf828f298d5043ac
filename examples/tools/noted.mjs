import { defineTool } from '@toolgate/core';

// #region noted
export const tools = [
  defineTool({
    name: 'open_ticket',
    description: 'Opens a ticket.',
    profile: { class: 'write' },
    input: {
      type: 'object',
      properties: {
        title: { type: 'string', maxlength: 80 },
        labels: { type: 'string', pattern: '^(\\w+ ?)*$' },
      },
      required: ['title'],
      additionalProperties: false,
    },
    execute: ({ title }) => `opened ${title}`,
  }),
];
// #endregion
