import { type ChildProcess, spawn } from 'node:child_process';

/** Whether a child can be made the leader of a group of its own, so that what it starts can be ended with it. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Reads the group to watch, then waits on a line from us. An end of its input without that line means that this process
 * is gone, however it ended; then the group of the server is ended, politely first. The end of its input is what a server
 * should end of, and what a program that stands before one, such as `docker run -i`, has to pass on before it is ended.
 */
const GUARD = [
  'read -r group || exit 0',
  'read -r word',
  '[ "$word" = done ] && exit 0',
  'sleep 1',
  'kill -TERM -"$group" 2>/dev/null || exit 0',
  'sleep 1',
  'kill -KILL -"$group" 2>/dev/null',
].join('\n');

/** Options of `spawn` that put a child at the head of a group of its own. */
export function groupOptions(): { readonly detached: boolean; readonly windowsHide: boolean } {
  return { detached: HAS_GROUPS, windowsHide: true };
}

/** Sends a signal to a process and all that it started and that stayed in its group. Never throws. */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!HAS_GROUPS) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // There is nobody left to tell.
  }
}

/** Ends a group of processes when this process goes away without closing it. */
export interface TreeGuard {
  /** Call it in the same turn in which the group was started. */
  watch(pid: number): void;
  callOff(): void;
}

/**
 * Starts a guard, before there is anything to guard: a moment in which only the server runs would be one in which it can
 * be left behind by an exit, a crash or SIGKILL. What is left of it is the turn between start and `watch`, before the
 * server is spoken to. A server should end by itself when its input ends; this is for those that do not. Where there are
 * no groups, nothing is done.
 */
export function startGuard(): TreeGuard {
  if (!HAS_GROUPS) return { watch: () => undefined, callOff: () => undefined };
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'toolgate-guard'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  letGo(guard.stdin);
  return {
    watch: (pid) => {
      guard.stdin?.write(`${pid}\n`);
    },
    callOff: () => {
      guard.stdin?.end('done\n');
    },
  };
}

/** A pipe that waits for nothing does not keep the process. */
function letGo(pipe: unknown): void {
  if (typeof pipe !== 'object' || pipe === null || !('unref' in pipe)) return;
  if (typeof pipe.unref === 'function') pipe.unref();
}
