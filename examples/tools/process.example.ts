// #region process
import { spawn } from 'node:child_process';
import { type CallContext, defineTool, ToolError } from '@toolgate/core';
import { z } from 'zod';

const PATIENCE_MS = 2_000;
const MAX_LENGTH = 1_000_000;

/** A tool that runs a program of yours. When the call ends, however it ends, the program and what it started end, too. */
function runChecks(command: string, args: readonly string[]) {
  return defineTool({
    name: 'run_checks',
    description: 'Runs the checks of the project.',
    profile: { class: 'write', resourceKey: 'project', timeoutMs: 300_000 },
    input: z.object({ suite: z.enum(['unit', 'all']) }),
    execute: async ({ suite }, { signal, progress }: CallContext) => {
      signal.throwIfAborted();
      // No shell reads what a model wrote. `detached` makes a process group, which whatever the program starts is in.
      const child = spawn(command, [...args, suite], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      const endGroup = (name: NodeJS.Signals): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, name);
        } catch {
          // Nobody is left in the group.
        }
      };
      let timer: NodeJS.Timeout | undefined;
      const stop = (): void => {
        endGroup('SIGTERM');
        timer = setTimeout(endGroup, PATIENCE_MS, 'SIGKILL');
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        let output = '';
        const exitCode = await new Promise<number | null>((resolve, reject) => {
          child.stdout.setEncoding('utf8').on('data', (piece: string) => {
            output += piece;
            progress?.({ progress: output.length, message: piece });
            if (output.length > MAX_LENGTH) endGroup('SIGKILL');
          });
          child.once('error', reject);
          // Who was started by the program and outlives it would keep its output open.
          child.once('exit', () => endGroup('SIGKILL'));
          child.once('close', resolve);
        });
        signal.throwIfAborted();
        if (output.length > MAX_LENGTH) throw new ToolError('The checks wrote too much and were stopped.');
        return { exitCode, output };
      } finally {
        signal.removeEventListener('abort', stop);
        clearTimeout(timer);
      }
    },
  });
}

// #endregion

export { runChecks };
