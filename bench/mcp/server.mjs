// A server on a pipe with 1,000 tools in one page, all different. Nothing but Node.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const recorded = JSON.parse(readFileSync(new URL('../../examples/data/mcp-tools.json', import.meta.url), 'utf8')).tools;

// Recorded definitions of real servers in turn, each made one of its own by its name and one more argument.
const tools = Array.from({ length: Number(process.argv[2] ?? '1000') }, (_, index) => {
  const { inputSchema, ...tool } = recorded[index % recorded.length];
  const properties = { ...inputSchema.properties, [`option_${index}`]: { type: 'string', maxLength: 100 + index } };
  return { ...tool, name: `${tool.name}_${index}`, inputSchema: { ...inputSchema, properties } };
});

const write = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'thousand', version: '1' };
    write(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === 'tools/list') write(id, { tools });
  else if (method === 'tools/call') write(id, { content: [{ type: 'text', text: params.name }] });
  else {
    const error = { code: -32601, message: 'Method not found' };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
});
