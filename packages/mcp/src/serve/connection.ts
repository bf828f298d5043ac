import type { Tool } from '@modelcontextprotocol/server';
import type { Gate } from '@toolgate/core';
import type { Identity } from './identity.ts';
import type { GateTools } from './listed-tool.ts';
import { Run } from './run.ts';
import { isSameIdentity } from './same-identity.ts';
import type { ServiceCore } from './service-core.ts';

/** The tools that a client was shown. */
interface Shown<Context> {
  readonly gate: Gate<Context>;
  readonly tools: GateTools;
}

/** A run, and whom it is for. */
interface OwnRun<Context> {
  readonly identity: Identity<Context>;
  readonly run: Promise<Run>;
}

/**
 * One client of one principal: an HTTP session, a pipe, or one request of a revision without sessions. What it was
 * shown is what its calls are held against, also when the server's tools have changed since; it sees the change when
 * it lists again. Each request counts with the context that it comes with: a session outlives tokens and rights.
 */
export class Connection<Context> {
  readonly core: ServiceCore<Context>;
  readonly identity: Identity<Context>;
  readonly #cancel = new AbortController();
  readonly #retired = new Set<Promise<void>>();
  #own: OwnRun<Context> | undefined;
  #shown: Shown<Context> | undefined;
  #stale = false;
  #closed: Promise<void> | undefined;
  /** Tells the client that the list has changed, where it can be told. */
  onListChange: (() => void) | undefined;

  constructor(core: ServiceCore<Context>, identity: Identity<Context>) {
    this.core = core;
    this.identity = identity;
  }

  /**
   * The run whose list the client was shown last; the first one, where it was shown none.
   *
   * @param identity - Of the request. Default: that of whoever connected.
   */
  run(identity: Identity<Context> = this.identity): Promise<Run> {
    const before = this.#own;
    if (before !== undefined && isSameIdentity(before.identity, identity)) return before.run;
    if (before !== undefined) this.#retire(before.run);
    const { gate, tools } = this.core;
    this.#shown ??= { gate, tools };
    const own: OwnRun<Context> = { identity, run: this.#open(identity, this.#shown) };
    this.#own = own;
    // A policy that could not decide may be able to the next time.
    own.run.catch(() => {
      if (this.#own === own) this.#own = undefined;
    });
    return own.run;
  }

  /** The tools as they are now. Calls that come later are held against this list. */
  async list(identity?: Identity<Context>): Promise<readonly Tool[]> {
    if (this.#stale) this.#renew();
    return (await this.run(identity)).listed;
  }

  /** Notes that the run ended with an error: the next request begins another one. */
  endRun(run: Run): void {
    const own = this.#own;
    void own?.run.then((current) => {
      if (current === run && this.#own === own) this.#renew();
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
    const old = this.#own;
    this.#own = undefined;
    this.#shown = undefined;
    this.#stale = false;
    if (old !== undefined) this.#retire(old.run);
  }

  #retire(old: Promise<Run>): void {
    const retired = old
      .then((run) => run.retire())
      .catch((error: unknown) => this.core.settings.report(error))
      .finally(() => this.#retired.delete(retired));
    this.#retired.add(retired);
  }

  async #open(
    { principal, context, narrow }: Identity<Context>,
    { gate, tools }: Shown<Context>,
  ): Promise<Run> {
    // What its client said before it went may come to be looked at after that.
    this.#cancel.signal.throwIfAborted();
    // From here on it has something to close, and a list that can change.
    this.core.connections.add(this);
    const session = await gate.open({
      context,
      principal,
      signal: this.#cancel.signal,
      ...(narrow === undefined ? {} : { narrow }),
    });
    return new Run(session, tools);
  }

  async #close(): Promise<void> {
    this.core.connections.delete(this);
    this.onListChange = undefined;
    this.#cancel.abort(new DOMException('The client is gone.', 'AbortError'));
    if (this.#own !== undefined) this.#retire(this.#own.run);
    await Promise.all(this.#retired);
  }
}
