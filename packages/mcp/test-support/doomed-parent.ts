import { mountMcp } from '../src/mount/mount-mcp.ts';

/** A process that mounts a server which does not want to end, says both, and is killed by whoever started it. */
const [, , script = ''] = process.argv;
const transport = { kind: 'stdio', command: process.execPath, args: [script, 'stubborn', 'family'] } as const;
const mount = await mountMcp({ name: 'stubborn', lock: 'off', transport });
const pids = mount.tools.find(({ contract }) => contract.definition.name === 'pids');
const prepared = pids?.contract.prepare({ id: 'c1', name: 'pids', arguments: '{}' });
if (pids === undefined || prepared?.ok !== true) throw new Error('There is no such tool.');
const output = await pids.call(prepared.invocation);
process.stdout.write(`${output.text()}\n`);
