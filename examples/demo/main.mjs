// `npm start`: thirteen calls through a gate, a conversation of an agent, and MCP servers under review. With a terminal
// you decide about writes and messages; without one a written rule does, and nothing waits. `npm start -- gate`, `agent`
// or `mcp` shows one part.
import process from 'node:process';
import { runAgentDemo } from './agent/run-agent-demo.mjs';
import { runGateDemo } from './gate/run-gate-demo.mjs';
import { runMcpDemo } from './mcp/run-mcp-demo.mjs';

const { stdin, stdout, env } = process;
const [part = 'all'] = process.argv.slice(2);
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
// Whoever reads the output may go away: `npm start | head`.
stdout.on('error', () => process.exit(141));

const interactive = stdin.isTTY === true && stdout.isTTY === true;
const options = {
  print: (/** @type {string} */ text) => void stdout.write(text),
  colours: stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  signal: controller.signal,
  ...(interactive ? { terminal: { input: stdin, output: stdout } } : {}),
};
try {
  if (part === 'all' || part === 'gate') await runGateDemo(options);
  if (part === 'all') stdout.write('\n\n');
  if (part === 'all' || part === 'agent') await runAgentDemo({ ...options, env });
  if (part === 'all') stdout.write('\n\n');
  if (part === 'all' || part === 'mcp') await runMcpDemo(options);
  controller.signal.throwIfAborted();
} catch (error) {
  if (!controller.signal.aborted) throw error;
  process.exitCode = 130;
}
