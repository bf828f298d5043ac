// #region scope
import { createGate, createScope, defineTool } from '@toolgate/core';
import { z } from 'zod';

const input = z.object({ path: z.string().max(200) });

const tools = [
  defineTool({ name: 'read_file', description: 'Reads a file.', profile: { class: 'read' }, input, execute }),
  defineTool({
    name: 'write_file',
    description: 'Writes a file.',
    profile: { class: 'write' },
    input,
    execute,
  }),
  defineTool({ name: 'wipe', description: 'Wipes a folder.', privileged: true, input, execute }),
];

// What every run of this application may use, at most.
const scope = createScope({ deny: ['write_file'], unknownNames: 'refuse' });
const gate = createGate({ tools, scope });

// A run may be given less, never more.
const session = await gate.open({ context: {}, narrow: { allow: ['read_file', 'write_file', 'wipe'] } });
const offered = session.definitions.map(({ name }) => name);
const guessed = await session.execute({ id: 'c1', name: 'wipe', arguments: '{"path":"/"}' });
// #endregion
await session.close();

function execute({ path }: { readonly path: string }): string {
  return path;
}

export { guessed, offered };
