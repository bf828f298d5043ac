import type { Tool } from '@modelcontextprotocol/server';
import type { GateSession, ToolDefinition } from '@toolgate/core';
import { type GateTools, listedTool } from './listed-tool.ts';

/** A gate session that the requests of one client share. It closes when it was retired and no call uses it. */
export class Run {
  readonly session: GateSession;
  readonly tools: GateTools;
  readonly #offered: ReadonlyMap<string, ToolDefinition>;
  #listed: readonly Tool[] | undefined;
  #users = 0;
  #calls = 0;
  #retired: Promise<void> | undefined;
  #idle: (() => void) | undefined;

  /** @param tools - The tools of the gate, whatever of them is offered. */
  constructor(session: GateSession, tools: GateTools) {
    this.session = session;
    this.tools = tools;
    this.#offered = new Map(session.definitions.map((definition) => [definition.name, definition]));
  }

  /** What this client is shown; made once, however many pages are read of it. */
  get listed(): readonly Tool[] {
    this.#listed ??= this.session.definitions.map((definition) => listedTool(definition, this.tools));
    return this.#listed;
  }

  /** What this client was shown of a tool; `undefined` for one that is not offered, whether or not there is one. */
  offered(name: string): ToolDefinition | undefined {
    return this.#offered.get(name);
  }

  /** An id that no other call has. */
  nextCallId(): string {
    this.#calls += 1;
    return `${this.session.id}:${this.#calls}`;
  }

  /** Keeps the session open while something uses it. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#users += 1;
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0) this.#idle?.();
    }
  }

  /** Lets what runs come to its end, then closes. */
  retire(): Promise<void> {
    this.#retired ??= this.#close();
    return this.#retired;
  }

  async #close(): Promise<void> {
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.session.close();
  }
}
