// A server whose tools stand in a file that is read for every list, so that a test can change them while it runs.
// Arguments: the file with the tools, and a file to which its process id is written.
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , toolsFile = '', pidFile = ''] = process.argv;
appendFileSync(pidFile, `${process.pid}\n`);
if (process.env['COMPLAINT'] !== undefined) {
  process.stderr.write(process.env['COMPLAINT']);
  process.exit(3);
}

/** @type {Record<string, (params: any) => unknown>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'fixture', version: '1\u001b[31m' },
  }),
  'tools/list': () => ({ tools: JSON.parse(readFileSync(toolsFile, 'utf8')) }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: `${name} did ${JSON.stringify(args)} with ${process.env['API_KEY']}` }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = Object.hasOwn(methods, method)
    ? { result: methods[method]?.(params ?? {}) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
