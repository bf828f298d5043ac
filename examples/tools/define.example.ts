// #region define
import { type CallContext, defineTool, ToolError } from '@toolgate/core';
import { z } from 'zod';
import type { Windows } from './caller.example.ts';

/** What tools may rely on. Your code makes it, and nothing in it comes from a model. */
interface Caller {
  readonly user: string;
  readonly windows: Windows;
}

const findWindow = defineTool({
  name: 'find_window',
  description: 'Finds the next maintenance window of a service. Use it before you promise a time.',
  profile: { class: 'read', timeoutMs: 5_000 },
  input: z.object({
    service: z.string().max(64).describe('The name of the service, as the user wrote it.'),
    form: z.enum(['short', 'full']).default('short').describe('full: with the notes of the operators.'),
  }),
  execute: async ({ service, form }, { context: { user, windows }, signal }: CallContext<Caller>) => {
    const window = await windows.next(service, { user, signal });
    if (window === undefined) throw new ToolError('There is no window that this caller may see.');
    return form === 'full' ? window : { startsAt: window.startsAt };
  },
});
// #endregion

// #region json-schema
const closeWindow = defineTool({
  name: 'close_window',
  description: 'Closes a maintenance window for good.',
  profile: { class: 'write' },
  input: {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^w[0-9]+$', description: 'The id that find_window gave.' },
      reason: { type: 'string', maxLength: 500, default: 'done' },
    },
    required: ['id'],
    additionalProperties: false,
  } as const,
  execute: ({ id, reason }) => `Closed ${id}: ${reason}`,
});
// #endregion

// #region validate
const input = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'to is before from.' });

const listWindows = defineTool({
  name: 'list_windows',
  description: 'Lists the maintenance windows from one day to another one.',
  profile: { class: 'read' },
  input,
  execute: ({ from, to }) => ({ from, to, windows: [] }),
});

// #endregion

export { type Caller, closeWindow, findWindow, listWindows };
