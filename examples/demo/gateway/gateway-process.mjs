// `toolgate up` as a process of its own, as it is installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../../packages/toolgate/bin/toolgate.js', import.meta.url));

/**
 * Starts it, and waits until it listens.
 * @param {{ config: string, cwd: string, env: Readonly<Record<string, string>>, signal: AbortSignal, onLine: (line: Readonly<Record<string, unknown>>) => void }} options
 */
export async function startGatewayProcess({ config, cwd, env, onLine, signal }) {
  const child = spawn(process.execPath, [BIN, 'up', config, '--json', '--port', '0'], {
    cwd,
    // Nothing of the user's: no key of a real provider is anywhere near this.
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C of the terminal is for us, who then let it drain.
    detached: process.platform !== 'win32',
  });
  // Whatever ends this process, the gateway does not outlive it.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').finally(() => process.off('exit', kill));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2_000);
  });
  /** @type {(url: string) => void} */
  let listening = () => undefined;
  /** @type {Promise<string>} */
  const ready = new Promise((resolve) => {
    listening = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text);
    if (line.event === 'listening') listening(line.url);
    onLine(line);
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  };
  const abort = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', abort, { once: true });
  const first = await Promise.race([ready, exited.then(() => undefined)]);
  if (first === undefined) throw new Error(`The gateway did not start. ${errors}`);
  return { url: first, exited, stop };
}
