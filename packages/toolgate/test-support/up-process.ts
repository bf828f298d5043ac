import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtBin } from './built-bin.ts';

/** A line that `toolgate up --json` wrote. */
export type UpLine = Readonly<Record<string, unknown>>;

/** A gateway in a process of its own. */
export interface UpProcess {
  readonly url: string;
  /** The line that says where it listens. */
  readonly listening: UpLine;
  readonly lines: readonly UpLine[];
  readonly errors: () => string;
  /** The next line of an event that was not given before. */
  next(event: string): Promise<UpLine>;
  /** Sends a signal and gives the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>;
  signal(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

/** Ends everything that a test has left. */
export async function endAll(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'exit')));
}

/** Starts `toolgate up --json` in a folder, without the keys of whoever runs the tests, and waits until it listens. */
export async function startUp(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<UpProcess> {
  const child = spawn(process.execPath, [builtBin(), 'up', '--json', '--port', '0', ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | string;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const lines: UpLine[] = [];
  const given = new Set<UpLine>();
  let wake: () => void = () => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as UpLine);
    wake();
  });
  const next = async (event: string): Promise<UpLine> => {
    for (;;) {
      const found = lines.find((line) => line['event'] === event && !given.has(line));
      if (found !== undefined) {
        given.add(found);
        return found;
      }
      const more = new Promise<'more'>((resolve) => {
        wake = () => resolve('more');
      });
      const what = await Promise.race([more, exited]);
      if (what !== 'more' && !lines.some((line) => line['event'] === event && !given.has(line)))
        throw new Error(`The gateway ended (${what}) without ${event}: ${errors}`);
    }
  };
  const listening = await next('listening');
  return {
    url: String(listening['url']),
    listening,
    lines,
    errors: () => errors,
    next,
    signal: (signal) => void child.kill(signal),
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

/** What a client asks for, and what it gets. */
export async function askChat(
  url: string,
  key: string,
  text: string,
  tool?: string,
  model = 'demo',
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const tools =
    tool === undefined
      ? {}
      : {
          tools: [
            {
              type: 'function',
              function: {
                name: tool,
                description: 'A tool.',
                parameters: {
                  type: 'object',
                  properties: { to: { type: 'string' } },
                  additionalProperties: false,
                },
              },
            },
          ],
        };
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], ...tools }),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}
