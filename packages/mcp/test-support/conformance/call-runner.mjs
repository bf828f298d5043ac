/** What the conformance suite has for `child_process`. */
import { EventEmitter } from 'node:events';

export { execSync } from 'node:child_process';

/**
 * Stands for the start of a client: hands the work to the test and says what came of it as a process would.
 *
 * @param {string} runner - The command of the suite: the address of the runner.
 * @param {readonly string[]} args - The address of the server is the last one.
 * @param {{ readonly env: Readonly<Record<string, string | undefined>> }} options
 */
export function spawn(runner, args, { env }) {
  const killed = new AbortController();
  const child = Object.assign(new EventEmitter(), {
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    kill: () => killed.abort(),
  });
  const body = JSON.stringify({
    url: args.at(-1) ?? '',
    revision: env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '2025-11-25',
    context: env['MCP_CONFORMANCE_CONTEXT'] ?? '{}',
  });
  run(runner, body, killed.signal).then(
    ({ ok, text }) => {
      child[ok ? 'stdout' : 'stderr'].emit('data', text);
      child.emit('close', ok ? 0 : 1);
    },
    (error) => {
      child.stderr.emit('data', String(error));
      child.emit('close', 1);
    },
  );
  return child;
}

/**
 * @param {string} runner
 * @param {string} body
 * @param {AbortSignal} signal
 */
async function run(runner, body, signal) {
  const response = await fetch(runner, { method: 'POST', body, signal });
  return { ok: response.ok, text: await response.text() };
}
