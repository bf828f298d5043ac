import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client';
import { watchAnswer } from '../client/guard-transport.ts';
import { isPipe } from '../lifecycle/reach.ts';
import { McpError } from '../mcp-error.ts';
import type { ListedTool } from './listed-tool.ts';
import { type CollectorLimits, toolCollector } from './tool-collector.ts';

/** How long a list of tools may be. */
export interface ListLimits extends CollectorLimits {
  readonly maxPages: number;
  /** Of one page, in milliseconds. */
  readonly listTimeoutMs: number;
}

interface Page {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads every page of `tools/list`. Each definition is detached and frozen here and never read again; an entry that is
 * no definition is kept as broken, so that it costs the server no other tool.
 *
 * @throws {@link McpError} `mcp/list-invalid` for a page that is none, a cursor that was there before, a tool that
 * comes on two pages, and more pages, tools or bytes than allowed; what the client throws, unchanged.
 */
export async function listTools(
  client: Client,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  // In older revisions an empty cursor is how many servers say that there is no other page.
  const isModern = client.getProtocolEra() === 'modern';
  const collector = toolCollector(limits, { byHeader: usesHeaders(client), byTask: !isModern });
  const cursors = new Set<string>();
  let firstPage: readonly unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    if (pages > limits.maxPages) throw invalid(`The list of tools has more than ${limits.maxPages} pages.`);
    const page = await readPage(client, cursor, limits, signal);
    if (cursor === '' && isSamePage(page.tools, firstPage)) return collector.listed();
    if (pages === 1) firstPage = page.tools;
    collector.take(page.tools);
    cursor = page.nextCursor === '' && !isModern ? undefined : page.nextCursor;
    if (cursor === undefined) return collector.listed();
    if (cursors.has(cursor)) throw invalid('The list of tools came back to a cursor that was there before.');
    cursors.add(cursor);
  }
}

async function readPage(
  client: Client,
  cursor: string | undefined,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<Page> {
  try {
    return await askForPage(client, cursor, limits, signal);
  } catch (error) {
    // Who does not know the empty cursor that it gave out meant the end by it.
    const isUnknown = error instanceof ProtocolError && error.code === ProtocolErrorCode.InvalidParams;
    if (cursor === '' && isUnknown) return { tools: [], nextCursor: undefined };
    throw error;
  }
}

/** Whether a page is the first one again, which servers give to whoever says an empty cursor. */
function isSamePage(page: readonly unknown[], first: readonly unknown[]): boolean {
  return page.length === first.length && page.every((raw, index) => nameOf(raw) === nameOf(first[index]));
}

function nameOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'name') : undefined;
}

async function askForPage(
  client: Client,
  cursor: string | undefined,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<Page> {
  let tools: readonly unknown[] | undefined;
  const page = await client.request(
    { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
    PAGE,
    {
      signal,
      timeout: limits.listTimeoutMs,
      maxTotalTimeout: limits.listTimeoutMs,
      onresumptiontoken: watchAnswer({
        onTools: (received) => {
          tools = received;
        },
      }),
    },
  );
  return { ...page, tools: tools ?? page.tools };
}

/**
 * A page whose entries nobody has looked at: the SDK's own schema refuses a whole page for one entry, and servers that
 * leave out a `type` are many.
 */
const PAGE: StandardSchemaV1<unknown, Page> = {
  '~standard': {
    version: 1,
    vendor: 'toolgate',
    validate: (value) => {
      if (typeof value !== 'object' || value === null) return issue('The list of tools is no object.');
      const tools: unknown = Reflect.get(value, 'tools');
      const nextCursor: unknown = Reflect.get(value, 'nextCursor') ?? undefined;
      if (!Array.isArray(tools)) return issue('The list of tools has no tools.');
      if (nextCursor !== undefined && typeof nextCursor !== 'string') return issue('A cursor is no string.');
      return { value: { tools, nextCursor } };
    },
  },
};

function issue(message: string): { readonly issues: readonly { readonly message: string }[] } {
  return { issues: [{ message }] };
}

/** Whether parameters may travel in headers: from revision 2026-07-28 on, over anything but a pipe. */
export function usesHeaders(client: Client): boolean {
  return client.getProtocolEra() === 'modern' && !isPipe(client);
}

function invalid(message: string): McpError {
  return new McpError('mcp/list-invalid', message);
}
