import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport as AiSdkTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv } from 'ajv';
import { createGate } from '../../packages/core/dist/index.js';
import { EMPTY_LOCK, mountMcp } from '../../packages/mcp/dist/index.js';

const command = process.execPath;
const args = [fileURLToPath(new URL('server.mjs', import.meta.url)), '1000'];
const transport = { kind: 'stdio', command, args };

/** The list, frozen and kept: what every client has to hold at least. */
export async function officialClient() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  return { held: tools, count: tools.length, close: () => client.close() };
}

/** The list, and a validator of each input schema: what has to be there before arguments can be checked. */
export async function officialClientWithAjv() {
  const { held, count, close } = await officialClient();
  const ajv = new Ajv({ strict: false });
  const validators = held.map(({ inputSchema: { $schema: _dialect, ...schema } }) => ajv.compile(schema));
  return { held: [held, validators], count, close };
}

/** The list as tools of the AI SDK. Their schemas are not compiled. */
export async function aiSdk() {
  const client = await createMCPClient({ transport: new AiSdkTransport({ command, args, stderr: 'ignore' }) });
  const tools = await client.tools();
  return { held: tools, count: Object.keys(tools).length, close: () => client.close() };
}

/** Everything: pinned by digest, inspected, compiled, bound, behind a gate. */
export async function toolgate() {
  const mount = await mountMcp({ name: 'thousand', transport, lock: 'off' });
  const gate = createGate({ tools: mount.tools });
  return { held: [mount, gate, mount.report], count: gate.tools.length, close: () => mount.close() };
}

let reviewed;

/** The same with a lock in which every tool was reviewed. */
export async function toolgateLocked() {
  reviewed ??= await review();
  const mount = await mountMcp({ name: 'thousand', transport, lock: { mode: 'require', file: reviewed } });
  const gate = createGate({ tools: mount.tools });
  return { held: [mount, gate, mount.report], count: gate.tools.length, close: () => mount.close() };
}

async function review() {
  const mount = await mountMcp({ name: 'thousand', transport, lock: { mode: 'require', file: EMPTY_LOCK } });
  const tools = mount.report.drift.drift.map(({ tool, digest, definition }) => [tool, { digest, definition }]);
  await mount.close();
  return { version: 1, servers: { thousand: Object.fromEntries(tools) } };
}
