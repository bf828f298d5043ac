import type { Clock } from '@toolgate/core';
import { McpError, type McpMount } from '@toolgate/mcp';
import type { McpCaller } from './mcp-exchange.ts';
import type { ServerStanding, ServerState } from './mount-lease.ts';

/** A server that is mounted again and again until it is there, and connected again after it broke. Close it. */
export interface KeptMount {
  readonly state: ServerState;
  readonly error: ServerStanding['error'];
  /** Its latest mount; `undefined` before the first one. */
  readonly mount: McpMount<McpCaller> | undefined;
  /**
   * Settles with the first attempt, however it ended.
   *
   * @throws McpError `mcp/options-invalid`, and what is no `McpError`: it makes no sense to try again.
   */
  readonly first: Promise<void>;
  /** Tries at once what waits to be tried again. */
  hurry(): void;
  /** Something went wrong with the mount: if it lost its connection, it gets a new one. */
  look(): void;
  /** Settles when nothing of it is left. */
  close(): Promise<void>;
}

/** What a kept mount is made of. */
export interface KeptMountOptions {
  readonly clock: Clock;
  readonly mount: (signal: AbortSignal) => Promise<McpMount<McpCaller>>;
  /** What the server said about the problem that was told last. */
  readonly said: () => string | undefined;
  /** Told when it is there, and when it is not. */
  readonly onChange: () => void;
}

/** The wait after the first failure, doubled with each further one up to the bound. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Begins to mount a server. */
export function keepMounted({ clock, mount: mountNow, onChange, said }: KeptMountOptions): KeptMount {
  const life = new AbortController();
  let state: ServerState = 'mounting';
  let error: ServerStanding['error'];
  let mount: McpMount<McpCaller> | undefined;
  let failures = 0;
  let timer: unknown;
  let running: Promise<unknown> | undefined;

  const become = (next: ServerState, why?: unknown): void => {
    error = next === 'mounted' ? undefined : describe(why, said());
    if (state === next) return;
    state = next;
    onChange();
  };
  const retryLater = (why: unknown): void => {
    const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), MAX_RETRY_MS);
    failures += 1;
    timer = clock.setTimer(() => void attempt(), wait);
    clock.holdTimer?.(timer, false);
    become(mount === undefined ? 'failed' : 'broken', why);
  };
  /** @returns What went wrong; `undefined` when the server is there. */
  const run = async (): Promise<unknown> => {
    const { signal } = life;
    try {
      if (mount === undefined) mount = await mountNow(signal);
      else await mount.refresh(signal);
      failures = 0;
      if (!signal.aborted) become('mounted');
      return undefined;
    } catch (why) {
      if (!signal.aborted && !(state === 'mounting' && isMisuse(why))) retryLater(why);
      return why;
    } finally {
      running = undefined;
    }
  };
  const attempt = (): Promise<unknown> => {
    clock.clearTimer(timer);
    timer = undefined;
    running = Promise.resolve().then(run);
    return running;
  };

  const first = attempt().then((why) => {
    if (state === 'mounting' && !life.signal.aborted && why !== undefined) throw why;
  });
  // Who does not wait for it learns of it by its state.
  first.catch(() => undefined);

  return Object.freeze({
    get state() {
      return state;
    },
    get error() {
      return error;
    },
    get mount() {
      return mount;
    },
    first,
    hurry() {
      if (timer !== undefined && running === undefined) void attempt();
    },
    look() {
      if (life.signal.aborted || running !== undefined || timer !== undefined) return;
      if (mount?.connected === false) retryLater(mount.report.problems.at(-1));
    },
    async close() {
      life.abort(new McpError('mcp/closed', 'The server is not used any more.'));
      clock.clearTimer(timer);
      timer = undefined;
      await running;
      await mount?.close();
    },
  });
}

/** What no other attempt mends. */
function isMisuse(error: unknown): boolean {
  return !McpError.is(error) || error.code === 'mcp/options-invalid';
}

function describe(error: unknown, detail: string | undefined): NonNullable<ServerStanding['error']> {
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    const said = detail === undefined ? {} : { detail };
    return Object.freeze({ code: String(error.code), message: String(error.message), ...said });
  }
  return Object.freeze({ code: 'mcp/unavailable', message: 'The server is not there.' });
}
