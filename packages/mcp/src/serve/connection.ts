import type { Tool } from '@modelcontextprotocol/server';
import type { Identity } from './identity.ts';
import { Run } from './run.ts';
import type { ServiceCore } from './service-core.ts';

/**
 * One client with one identity: an HTTP session, a pipe, or one request of a revision without sessions. What it was
 * shown is what its calls are held against, also when the server's tools have changed since; it sees the change when
 * it lists again.
 */
export class Connection<Context> {
  readonly core: ServiceCore<Context>;
  readonly identity: Identity<Context>;
  readonly #cancel = new AbortController();
  readonly #retired = new Set<Promise<void>>();
  #run: Promise<Run> | undefined;
  #stale = false;
  #closed: Promise<void> | undefined;
  /** Tells the client that the list has changed, where it can be told. */
  onListChange: (() => void) | undefined;

  constructor(core: ServiceCore<Context>, identity: Identity<Context>) {
    this.core = core;
    this.identity = identity;
  }

  /** The run whose list the client was shown last; the first one, where it was shown none. */
  run(): Promise<Run> {
    this.#run ??= this.#open();
    return this.#run;
  }

  /** The tools as they are now. Calls that come later are held against this list. */
  async list(): Promise<readonly Tool[]> {
    if (this.#stale) this.#renew();
    return (await this.run()).listed;
  }

  /** Notes that the run ended with an error: the next request begins another one. */
  endRun(run: Run): void {
    void this.#run?.then((current) => {
      if (current === run) this.#renew();
    });
  }

  /** Notes that the server's tools have changed. */
  noteChange(): void {
    this.#stale = true;
    this.onListChange?.();
  }

  /** Cancels what has no answer and joins it. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #renew(): void {
    const old = this.#run;
    this.#run = undefined;
    this.#stale = false;
    if (old !== undefined) this.#retire(old);
  }

  #retire(old: Promise<Run>): void {
    const retired = old
      .then((run) => run.retire())
      .catch((error: unknown) => this.core.settings.report(error))
      .finally(() => this.#retired.delete(retired));
    this.#retired.add(retired);
  }

  async #open(): Promise<Run> {
    const { gate, tools, connections } = this.core;
    // From here on it has something to close, and a list that can change.
    connections.add(this);
    const { principal, context, narrow } = this.identity;
    try {
      const session = await gate.open({
        context,
        principal,
        signal: this.#cancel.signal,
        ...(narrow === undefined ? {} : { narrow }),
      });
      return new Run(session, tools);
    } catch (error) {
      // A policy that could not decide may be able to the next time.
      this.#run = undefined;
      throw error;
    }
  }

  async #close(): Promise<void> {
    this.core.connections.delete(this);
    this.onListChange = undefined;
    this.#cancel.abort(new DOMException('The client is gone.', 'AbortError'));
    if (this.#run !== undefined) this.#retire(this.#run);
    await Promise.all(this.#retired);
  }
}
