// `npm start`: thirteen calls through a gate, a conversation of an agent, MCP servers under review, and a gateway that
// stays up. With a terminal you decide about writes and messages; without one a written rule does, nothing waits, and the
// gateway ends with the demonstration. `npm start -- gate`, `agent`, `mcp` or `gateway` shows one part.
import process from 'node:process';
import { runAgentDemo } from './agent/run-agent-demo.mjs';
import { runGateDemo } from './gate/run-gate-demo.mjs';
import { runGatewayDemo } from './gateway/run-gateway-demo.mjs';
import { runMcpDemo } from './mcp/run-mcp-demo.mjs';

const { stdin, stdout, env } = process;
const [part = 'all'] = process.argv.slice(2);
const controller = new AbortController();
let exitCode = 130;
let stoppedAt = 0;
/** @param {number} code */
const stop = (code) => {
  // A terminal sends its signal to everybody, and `npm start` hands it on: the same one twice is not impatience.
  if (controller.signal.aborted && Date.now() - stoppedAt > 2_000) process.exit(exitCode);
  if (controller.signal.aborted) return;
  exitCode = code;
  stoppedAt = Date.now();
  controller.abort();
};
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
process.on('SIGHUP', () => stop(129));
// Whoever reads the output may go away: `npm start | head`.
stdout.on('error', () => stop(141));

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
  if (part === 'all') stdout.write('\n\n');
  if (part === 'all' || part === 'gateway') await runGatewayDemo({ ...options, stay: interactive });
  controller.signal.throwIfAborted();
  if (part === 'all')
    stdout.write(
      '\nNext: "npx toolgate up" starts a gateway of your own; README.md has a first tool and a first run.\n',
    );
} catch (error) {
  if (!controller.signal.aborted) throw error;
  process.exitCode = exitCode;
}
