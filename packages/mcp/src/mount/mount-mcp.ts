import type { Client } from '@modelcontextprotocol/client';
import { type Binding, freezeJson, ignoreThrown, type JsonValue } from '@toolgate/core';
import { isSameTool } from '../intake/listed-tool.ts';
import type { Catalog } from '../lifecycle/live-session.ts';
import { ServerLink } from '../lifecycle/server-link.ts';
import type { McpError } from '../mcp-error.ts';
import { buildGeneration, type Generation } from './build-generation.ts';
import type { MountConfig } from './mount-config.ts';
import type { MountProblem, MountReport } from './mount-report.ts';
import { type MountSettings, readMountConfig } from './read-mount-config.ts';

/** A mounted server. Its tools are bound: they go into a gate as they are. */
export interface McpMount<Context = unknown> {
  readonly name: string;
  /**
   * The tools of the latest generation that are offered. A frozen list: a gate keeps the one that it was made with, and
   * a tool of an older list that is another one now refuses to be called.
   */
  readonly tools: readonly Binding<Context>[];
  /** How the mount stands now. */
  readonly report: MountReport;
  /** Whether there is a connection now. Without one, the next call or {@link McpMount.refresh} makes it. */
  readonly connected: boolean;
  /** Reads the list again, connecting anew if need be. */
  readonly refresh: (signal?: AbortSignal) => Promise<MountReport>;
  /** Ends the connection and the server's process, and waits until nothing of it is left. */
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Problems that a report keeps. */
const MAX_PROBLEMS = 50;

/**
 * Mounts a server: connects, reads all of its tools, and makes tools of ours of those that may be offered. What the
 * server says about a tool is shown to the model and enforced as it was read; it never decides what the tool may do.
 *
 * @throws {@link McpError} `mcp/options-invalid`, `mcp/unavailable`, `mcp/unauthorized`, `mcp/list-invalid`,
 * `mcp/name-collision`, `mcp/flood`, `mcp/message-too-large`; the reason of the signal. Nothing is left running then.
 */
export async function mountMcp<Context = unknown>(config: MountConfig<Context>): Promise<McpMount<Context>> {
  const settings = readMountConfig(config);
  const state = new MountState(settings);
  const { signal = new AbortController().signal } = config;
  try {
    await state.link.acquire(signal);
  } catch (error) {
    // Of the application's own parts, such as a clock.
    ignoreThrown(error);
    await state.link.close();
    throw error;
  }
  return Object.freeze({
    name: settings.name,
    get tools() {
      return state.tools;
    },
    get report() {
      return state.report;
    },
    get connected() {
      return state.link.connected;
    },
    refresh: async (again: AbortSignal = new AbortController().signal) => {
      await state.link.refresh(again);
      return state.report;
    },
    close: () => state.link.close(),
    [Symbol.asyncDispose]: () => state.link.close(),
  });
}

/** What changes while a server is mounted. */
class MountState<Context> {
  readonly link: ServerLink;
  readonly #settings: MountSettings<Context>;
  #generation: Generation<Context> | undefined;
  #problems: readonly MountProblem[] = [];
  #server: Pick<MountReport, 'serverInfo' | 'protocolVersion'> = {};
  #report: MountReport | undefined;

  constructor(settings: MountSettings<Context>) {
    this.#settings = settings;
    const { name, plan, list, backoff, settleMs, redact } = settings;
    this.link = new ServerLink({
      name,
      plan,
      list,
      backoff,
      settleMs,
      redact,
      onCatalog: (catalog, client) => this.#take(catalog, client),
      onProblem: (error, detail) => this.#note(error, detail),
    });
  }

  get tools(): readonly Binding<Context>[] {
    return this.#generation?.tools ?? [];
  }

  get report(): MountReport {
    this.#report ??= this.#makeReport();
    return this.#report;
  }

  #take(catalog: Catalog, client: Client): void {
    this.#server = serverOf(client);
    this.#report = undefined;
    if (this.#generation !== undefined && isSame(this.#generation.catalog, catalog)) return;
    this.#generation = buildGeneration(catalog, this.#settings, this.link, this.#generation);
    const { name, observe } = this.#settings;
    observe({ kind: 'generation', server: name, generation: this.#generation.number });
  }

  #note({ code, message }: McpError, detail: string): void {
    const problem: MountProblem = Object.freeze({
      code,
      message,
      ...(detail === '' ? {} : { detail }),
      at: this.#settings.clock.now(),
    });
    this.#problems = Object.freeze([...this.#problems.slice(1 - MAX_PROBLEMS), problem]);
    this.#report = undefined;
    this.#settings.observe({ kind: 'problem', server: this.#settings.name, problem });
  }

  #makeReport(): MountReport {
    const generation = this.#generation;
    const report: MountReport = {
      server: this.#settings.name,
      generation: generation?.number ?? 0,
      ...this.#server,
      tools: generation?.mounted() ?? [],
      ...(generation?.drift === undefined ? {} : { drift: generation.drift }),
      unusedRules: generation?.unusedRules ?? [],
      problems: this.#problems,
    };
    return freezeJson(report as unknown as JsonValue) as unknown as MountReport;
  }
}

const MAX_LABEL = 256;

function serverOf(client: Client): Pick<MountReport, 'serverInfo' | 'protocolVersion'> {
  const info = client.getServerVersion();
  const protocolVersion = client.getNegotiatedProtocolVersion();
  const label = (text: unknown): string =>
    typeof text === 'string' ? text.slice(0, MAX_LABEL).toWellFormed() : '';
  return {
    ...(info === undefined ? {} : { serverInfo: { name: label(info.name), version: label(info.version) } }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
  };
}

/** Whether two lists hold the same tools in the same order. */
function isSame(left: Catalog, right: Catalog): boolean {
  if (left.listed.length !== right.listed.length) return false;
  return left.listed.every((entry, index) => {
    const other = right.listed[index];
    return other !== undefined && isSameTool(entry, other);
  });
}
