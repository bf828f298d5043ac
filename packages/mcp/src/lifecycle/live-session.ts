import type { Client } from '@modelcontextprotocol/client';
import type { Connected } from '../client/connect-client.ts';
import type { OpenQuestions } from '../client/open-questions.ts';
import type { OpenPage } from '../client/page-visit.ts';
import { type ListLimits, listTools } from '../intake/list-tools.ts';
import type { ListedTool } from '../intake/listed-tool.ts';

/** What a server lists at one time. */
export interface Catalog {
  readonly listed: readonly ListedTool[];
  readonly byName: ReadonlyMap<string, ListedTool>;
}

/** One life of a connection, from the handshake to its end. */
export interface LiveSession {
  readonly client: Client;
  /** What the server asks the application, where there are hooks for that. */
  readonly questions: OpenQuestions | undefined;
  /** Sends a person to a page, where the application does that. */
  readonly openPage: OpenPage | undefined;
  /** What was listed last. */
  readonly catalog: Catalog;
  /** Whether the connection is gone. */
  readonly over: boolean;
}

/** A session as its link keeps it. */
export interface Session extends LiveSession {
  catalog: Catalog;
  over: boolean;
  /** Calls that wait for an answer; a session that the server forgot is closed when none does any more. */
  calls: number;
  forgotten: boolean;
  /** The server said that its tools changed, and nobody has looked since. */
  stale: boolean;
  /** How often notices of change were answered of late, and when the last time was. */
  notices: number;
  noticedAt: number;
  refreshing: Promise<void> | undefined;
  timer: unknown;
  readonly connected: Connected;
}

/** A session that has just begun. */
export function newSession(connected: Connected, catalog: Catalog): Session {
  return {
    client: connected.client,
    questions: connected.questions,
    openPage: connected.openPage,
    connected,
    catalog,
    over: false,
    calls: 0,
    forgotten: false,
    stale: false,
    notices: 0,
    noticedAt: 0,
    refreshing: undefined,
    timer: undefined,
  };
}

const EMPTY: Catalog = Object.freeze({ listed: Object.freeze([]), byName: new Map() });

/**
 * Reads the whole list of a server.
 *
 * @throws {@link McpError} as `listTools`; what the client throws.
 */
export async function readCatalog(client: Client, limits: ListLimits, signal: AbortSignal): Promise<Catalog> {
  const listed = await listTools(client, limits, signal);
  if (listed.length === 0) return EMPTY;
  return Object.freeze({ listed, byName: new Map(listed.map((entry) => [entry.name, entry])) });
}
