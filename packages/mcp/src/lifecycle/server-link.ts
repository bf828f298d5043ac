import type { Client } from '@modelcontextprotocol/client';
import type { Clock, Redactor } from '@toolgate/core';
import { type Connected, type ConnectPlan, connectClient } from '../client/connect-client.ts';
import type { ListLimits } from '../intake/list-tools.ts';
import { McpError } from '../mcp-error.ts';
import { type Backoff, delayAfter } from './backoff.ts';
import { closeClient } from './close-client.ts';
import { whyUnusable, wordsOf } from './connect-fault.ts';
import { type Catalog, type LiveSession, newSession, readCatalog, type Session } from './live-session.ts';
import { lostSession } from './lost-session.ts';
import { reachOf } from './reach.ts';
import { diagnosisText, toUnavailable } from './unavailable.ts';
import { leaveOn, waitFor } from './wait.ts';

/** What a link is made of. */
export interface LinkConfig {
  readonly name: string;
  readonly plan: ConnectPlan;
  readonly list: ListLimits;
  readonly backoff: Backoff;
  /** After a notice of change, how long others may come before the list is read again. */
  readonly settleMs: number;
  /** For what is told of the server's error output. */
  readonly redact: Redactor;
  readonly onCatalog: (catalog: Catalog, client: Client) => void;
  /** Foreign text in `detail`, without secrets and escaped. */
  readonly onProblem: (error: McpError, detail: string) => void;
}

/** So long without a notice of change, and the next one is answered soon again. */
const QUIET_MS = 60_000;

/**
 * The connection to one server, through its deaths: made when somebody needs it, shared by all, made again after it
 * broke, each time with the whole list read before anybody may call. Never more than one at a time.
 */
export class ServerLink {
  readonly #config: LinkConfig;
  readonly #clock: Clock;
  readonly #life = new AbortController();
  #session: Session | undefined;
  #starting: Promise<Session> | undefined;
  #closing: Promise<void> | undefined;
  readonly #ending = new Set<Promise<void>>();
  readonly #forgotten = new Set<Session>();
  #failures = 0;

  constructor(config: LinkConfig) {
    this.#config = config;
    this.#clock = config.plan.clock;
  }

  /**
   * A connection that lives and whose list is not known to be out of date.
   *
   * @throws {@link McpError} `mcp/closed`, `mcp/unavailable`, `mcp/unauthorized`, `mcp/list-invalid`, `mcp/flood`,
   * `mcp/message-too-large`; the reason of the signal.
   */
  async acquire(signal: AbortSignal): Promise<LiveSession> {
    const session = await leaveOn(this.#current(), signal);
    const isFresh = !session.stale && session.refreshing === undefined;
    return isFresh ? session : this.#refreshed(session, signal);
  }

  /** Whether there is a connection now. */
  get connected(): boolean {
    return this.#session !== undefined;
  }

  /** Reads the list again, at once. */
  async refresh(signal: AbortSignal): Promise<void> {
    const before = this.#session;
    const session = await leaveOn(this.#current(), signal);
    if (session === before) await this.#refreshed(session, signal);
  }

  /** A session whose list was read again, or the one after it where the server does not know it any more. */
  async #refreshed(session: Session, signal: AbortSignal): Promise<Session> {
    try {
      await leaveOn(this.#refresh(session), signal);
      return session;
    } catch (error) {
      if (!session.forgotten || signal.aborted) throw error;
      return leaveOn(this.#current(), signal);
    }
  }

  /** Counts a call on a session until what is returned is called. */
  hold(session: LiveSession): () => void {
    const own = this.#session;
    if (own === undefined || own !== session) return () => undefined;
    own.calls += 1;
    return () => {
      own.calls -= 1;
      if (own.forgotten && own.calls === 0 && !own.over) this.#end(own);
    };
  }

  /**
   * The server does not know this session any more; the next one who needs a connection makes a new one. Calls on it
   * that wait are answered first, most of them in the same way.
   */
  expire(session: LiveSession): void {
    const own = this.#session;
    if (own === undefined || own !== session) return;
    own.forgotten = true;
    this.#session = undefined;
    this.#forgotten.add(own);
    if (own.calls === 0) this.#end(own);
  }

  /** A call was answered: what failed before does not count any more. */
  succeed(): void {
    this.#failures = 0;
  }

  /** Ends the connection and the server, and waits until nothing of them is left. */
  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    this.#life.abort(closed(this.#config.name));
    const starting = this.#starting;
    await starting?.catch(() => undefined);
    for (const session of this.#forgotten) this.#end(session);
    if (this.#session !== undefined) this.#end(this.#session);
    await Promise.all(this.#ending);
  }

  #current(): Promise<Session> {
    if (this.#life.signal.aborted) return Promise.reject(closed(this.#config.name));
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<Session> {
    const { plan, backoff } = this.#config;
    const { signal } = this.#life;
    const delay = delayAfter(this.#failures, backoff);
    if (delay > 0) await waitFor(delay, this.#clock, signal);
    // What is told before there is a session concerns the one that comes.
    let session: Session | undefined;
    let changed = false;
    let over = false;
    const result = await connectClient(
      plan,
      {
        onToolsChanged: () => {
          changed = true;
          if (session !== undefined) this.#onChanged(session);
        },
        onClosed: () => {
          over = true;
          if (session !== undefined) this.#onClosed(session);
        },
        onRefused: (error) => this.#config.onProblem(error, ''),
      },
      signal,
    );
    if (!result.ok)
      throw this.#failed(
        toUnavailable(this.#config.name, result.failure, this.#config.redact),
        result.failure.opened,
        wordsOf(result.failure.error),
      );
    const { connected } = result;
    try {
      changed = false;
      const catalog = await readCatalog(connected.client, this.#config.list, signal);
      if (over) throw this.#broken(connected);
      session = newSession(connected, catalog);
      this.#session = session;
      this.#config.onCatalog(catalog, connected.client);
      if (changed) this.#onChanged(session);
      return session;
    } catch (error) {
      // A server that is tried again and again would keep a session of each time.
      await closeClient(connected, { farewell: true });
      if (signal.aborted) throw closed(this.#config.name);
      throw this.#failed(this.#explain(error, connected), connected.opened, wordsOf(error));
    }
  }

  #refresh(session: Session): Promise<void> {
    session.refreshing ??= this.#readAgain(session).finally(() => {
      session.refreshing = undefined;
    });
    return session.refreshing;
  }

  async #readAgain(session: Session): Promise<void> {
    this.#clock.clearTimer(session.timer);
    session.timer = undefined;
    session.stale = false;
    try {
      const catalog = await readCatalog(session.client, this.#config.list, this.#life.signal);
      if (session.over) throw this.#broken(session.connected);
      session.catalog = catalog;
      if (this.#session === session) this.#config.onCatalog(catalog, session.client);
    } catch (error) {
      // Nobody may call what nobody could look at.
      session.stale = true;
      const problem = this.#explain(error, session.connected);
      // A new session begins with reading the list.
      if (lostSession(error, reachOf(session.client)) === undefined)
        this.#config.onProblem(problem, diagnosisText(wordsOf(error), this.#config.redact));
      else this.expire(session);
      throw problem;
    }
  }

  /**
   * Notices come in swarms; one reading answers all of them. A server that never stops is read more and more rarely.
   */
  #onChanged(session: Session): void {
    session.stale = true;
    if (session.timer !== undefined || session.over || session.forgotten) return;
    const now = this.#elapsed();
    if (now - session.noticedAt > QUIET_MS) session.notices = 0;
    const delay = Math.min(this.#config.settleMs * 2 ** Math.min(session.notices, 20), QUIET_MS / 2);
    session.timer = this.#clock.setTimer(() => {
      session.timer = undefined;
      if (this.#session !== session || !session.stale) return;
      session.notices += 1;
      session.noticedAt = this.#elapsed();
      this.#refresh(session).catch(() => undefined);
    }, delay);
    this.#clock.holdTimer?.(session.timer, false);
  }

  #elapsed(): number {
    return (this.#clock.elapsed ?? this.#clock.now)();
  }

  #onClosed(session: Session): void {
    if (session.over) return;
    this.#failed(this.#broken(session.connected), session.connected.opened);
    this.#end(session);
  }

  #end(session: Session): void {
    session.over = true;
    this.#forgotten.delete(session);
    this.#clock.clearTimer(session.timer);
    if (this.#session === session) this.#session = undefined;
    const ending = this.#close(session.connected).finally(() => {
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }

  /** A mount that closes says farewell; to a session that broke nobody does. */
  #close(connected: Connected): Promise<void> {
    return closeClient(connected, { farewell: this.#life.signal.aborted });
  }

  #explain(error: unknown, connected: Connected): McpError {
    const given = connected.givenUp() ?? connected.opened.epitaph().fault;
    if (given !== undefined) return given;
    if (McpError.is(error)) return error;
    const why = whyUnusable(error);
    return new McpError(
      'mcp/list-invalid',
      `The tools of the server ${this.#config.name} could not be read${why === undefined ? '' : `: ${why}`}.`,
      { cause: error },
    );
  }

  /** Why a connection is gone. */
  #broken({ opened, givenUp }: Connected): McpError {
    const { end, fault } = opened.epitaph();
    const how = end === undefined ? '' : `: it ${end}`;
    const { name } = this.#config;
    return (
      givenUp() ??
      fault ??
      new McpError('mcp/interrupted', `The connection to the server ${name} broke${how}.`)
    );
  }

  /** @param words - What the server said in its answer, besides what it wrote to its error output. */
  #failed(error: McpError, opened: Pick<Connected['opened'], 'epitaph'>, words = ''): McpError {
    this.#failures += 1;
    const { stderr } = opened.epitaph();
    const said = words === '' || stderr === '' ? words + stderr : `${stderr.trimEnd()}\n${words}`;
    this.#config.onProblem(error, diagnosisText(said, this.#config.redact));
    return error;
  }
}

function closed(name: string): McpError {
  return new McpError('mcp/closed', `The mount of the server ${name} is closed.`);
}
