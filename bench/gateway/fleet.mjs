// The servers of the benchmark: each one a process of its own on the loopback address, all ended at the end.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const KEY = 'tg_bench_key_0123456789abcdef';
const pins = availableParallelism() > 1 && spawnSync('taskset', ['-p', String(process.pid)]).status === 0;

/** Puts this process on the second processor, where the provider is too; gateways get the first one to themselves. */
export function pinClient() {
  if (pins) spawnSync('taskset', ['-a', '-p', '-c', '1', String(process.pid)]);
  return pins;
}

/** Starts the provider and the gateways. */
export async function startFleet() {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
  const servers = [];
  const start = async (name, args, processor) => {
    const server = await startServer(name, args, processor);
    servers.push(server);
    return server;
  };
  const close = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const provider = await start('provider', [], 1);
    const origin = `http://127.0.0.1:${provider.port}`;
    const dispatch = await start('raw', ['dispatch', origin], 0);
    const rewrite = await start('raw', ['rewrite', origin], 0);
    const toolgate = await start('toolgate', [origin, folder, KEY], 0);
    const portkey = await start('portkey', [], 0);
    const plain = { model: 'bench', headers: { authorization: 'Bearer upstream' } };
    const ours = (model) => ({ server: toolgate, model, headers: { authorization: `Bearer ${KEY}` } });
    const peer = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${origin}/v1`, ...plain.headers };
    return {
      provider,
      paths: {
        direct: { server: provider, ...plain },
        PD: { server: dispatch, ...plain },
        LL: { server: rewrite, ...plain },
        PK: { server: portkey, ...plain, headers: peer },
        plain: ours('plain'),
        edited: ours('edited'),
        control: ours('control'),
        held: ours('held'),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServer(name, args, processor) {
  const file = fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
  const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '' && name === 'toolgate');
  const command = [process.execPath, ...flags, file, ...args];
  const [program, ...rest] = pins ? ['taskset', '-c', String(processor), ...command] : command;
  const child = spawn(program, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      void exited.then((code) => reject(new Error(`${name} ended with ${code}`)));
    });
  const { port } = await next();
  return {
    name,
    port,
    /** Processor microseconds, memory, and what else it tells. */
    async facts() {
      const answer = next();
      child.send('facts');
      return answer;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
