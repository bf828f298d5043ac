import { readFileSync } from 'node:fs';
import { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** A folder with tools that leave traces. */
export interface RunFolder extends TemporaryFolder {
  /** Arguments for the command: the tools, and this script. */
  readonly options: (turns: readonly object[]) => readonly string[];
  /** What tools did, in order. */
  readonly effects: () => readonly string[];
  /** Keeps keys and claims of this folder's runs here. */
  readonly env: Readonly<Record<string, string>>;
}

const tool = (name: string, rank: string, call: string, more = ''): string => `{
  definition: () => ({ name: '${name}', description: '', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }),
  profile: { class: '${rank}' },
  ${more}
  call: async (invocation) => { const { text } = invocation.arguments(); ${call} },
}`;

/**
 * Makes a folder with the tools `look` (read), `save` (write), `plain` (no class), `boom` (read, fails with a secret)
 * and `chief` (read, privileged).
 */
export function createRunFolder(): RunFolder {
  const folder = createTemporaryFolder();
  const log = folder.write('effects.log', '');
  const keep = (name: string): string => `appendFileSync(${JSON.stringify(log)}, \`${name} \${text}\\n\`);`;
  const tools = [
    tool('look', 'read', `return 'seen ' + text;`),
    tool('save', 'write', `${keep('save')} return 'saved ' + text;`),
    tool('plain', 'unclassified', `${keep('plain')} return 'done';`),
    tool('boom', 'read', `throw new Error('no route to 10.20.30.40');`),
    tool('chief', 'read', `return 'chief';`, 'privileged: true,'),
  ];
  const module = folder.write(
    'tools.mjs',
    `import { appendFileSync } from 'node:fs';\nexport const tools = [${tools.join(', ')}];\n`,
  );
  let scripts = 0;
  return {
    ...folder,
    options: (turns) => {
      scripts += 1;
      const script = folder.write(`script-${scripts}.json`, { turns });
      return ['--model', `scripted:${script}`, '--tools', module];
    },
    effects: () => readFileSync(log, 'utf8').split('\n').slice(0, -1),
    env: { TOOLGATE_HOME: `${folder.path}/home` },
  };
}
