import { type ChildProcess, spawn } from 'node:child_process';

/** Whether a child can be made the leader of a group of its own, so that what it starts can be ended with it. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Waits on a line from us. An end of its input without that line means that this process is gone, however it ended;
 * then the group of the server is ended, politely first.
 */
const GUARD = [
  'read -r word',
  '[ "$word" = done ] && exit 0',
  'kill -TERM -"$1" 2>/dev/null || exit 0',
  'sleep 1',
  'kill -KILL -"$1" 2>/dev/null',
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

/**
 * Has a group of processes ended when this process goes away without closing it: an exit, a crash, SIGKILL. A server
 * should end by itself when its input ends; this is for those that do not. Where there are no groups, nothing is done.
 *
 * @returns Calls the guard off.
 */
export function guardTree(pid: number): () => void {
  if (!HAS_GROUPS) return () => undefined;
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'toolgate-guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  letGo(guard.stdin);
  return () => {
    guard.stdin?.end('done\n');
  };
}

/** A pipe that waits for nothing does not keep the process. */
function letGo(pipe: unknown): void {
  if (typeof pipe !== 'object' || pipe === null || !('unref' in pipe)) return;
  if (typeof pipe.unref === 'function') pipe.unref();
}
