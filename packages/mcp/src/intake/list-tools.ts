import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client';
import { watchAnswer } from '../client/guard-transport.ts';
import type { LockedTool } from '../lock/lock-file.ts';
import { toLockedTool } from '../lock/to-locked-tool.ts';
import { McpError } from '../mcp-error.ts';
import { type HeaderFault, headerFault } from './header-fault.ts';

/** How long a list of tools may be. */
export interface ListLimits {
  readonly maxPages: number;
  readonly maxTools: number;
  /** UTF-8 bytes of all definitions as canonical JSON. */
  readonly maxListBytes: number;
  /** Of one page, in milliseconds. */
  readonly listTimeoutMs: number;
}

/** One entry of a list: what it says, or why it says nothing. */
export type ListedTool =
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly locked: LockedTool;
      readonly raw: unknown;
      /** Why it cannot be used over this connection, whatever else it says. */
      readonly fault?: McpError;
    }
  | {
      readonly kind: 'broken';
      /** The name as far as there is one, else the place in the list. */
      readonly name: string;
      readonly problem: McpError;
      readonly raw: unknown;
    };

/** Whether two entries stand for the same usable or unusable tool. What is broken may be broken otherwise the next time. */
export function isSameTool(left: ListedTool, right: ListedTool): boolean {
  return (
    left.kind === 'tool' &&
    right.kind === 'tool' &&
    left.locked.digest === right.locked.digest &&
    (left.fault === undefined) === (right.fault === undefined)
  );
}

interface Page {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/**
 * Reads every page of `tools/list`. Each definition is detached and frozen here and never read again; an entry that is
 * no definition is kept as broken, so that it costs the server no other tool.
 *
 * @throws {@link McpError} `mcp/list-invalid` for a page that is none, a cursor that was there before, a name that occurs
 * twice, and more pages, tools or bytes than allowed; what the client throws, unchanged.
 */
export async function listTools(
  client: Client,
  limits: ListLimits,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  // In older revisions an empty cursor is how many servers say that there is no other page.
  const isModern = client.getProtocolEra() === 'modern';
  const byHeader = usesHeaders(client);
  const cursors = new Set<string>();
  const listed: ListedTool[] = [];
  const names = new Set<string>();
  let bytes = 0;
  let firstPage: readonly unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    if (pages > limits.maxPages) throw invalid(`The list of tools has more than ${limits.maxPages} pages.`);
    const page = await readPage(client, cursor, limits, signal);
    if (cursor === '' && isSamePage(page.tools, firstPage)) return Object.freeze(listed);
    if (pages === 1) firstPage = page.tools;
    for (const raw of page.tools) {
      const entry = apart(toListed(raw, listed.length, byHeader), listed.length, names);
      if (listed.length === limits.maxTools)
        throw invalid(`The server lists more than ${limits.maxTools} tools.`);
      if (names.has(entry.name)) throw invalid(`The server lists ${quoteName(entry.name)} twice.`);
      bytes += entry.kind === 'tool' ? sizeOf(entry.locked) : 0;
      if (bytes > limits.maxListBytes)
        throw invalid(`The list of tools has more than ${limits.maxListBytes} bytes.`);
      names.add(entry.name);
      listed.push(entry);
    }
    cursor = page.nextCursor === '' && !isModern ? undefined : page.nextCursor;
    if (cursor === undefined) return Object.freeze(listed);
    if (cursors.has(cursor)) throw invalid('The list of tools came back to a cursor that was there before.');
    cursors.add(cursor);
  }
}

/** A foreign name as it may stand in a message: short, and with everything that is not plain escaped. */
export function quoteName(name: string): string {
  const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/gu, (character) => {
    let escaped = '';
    for (let index = 0; index < character.length; index += 1) {
      escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }
    return escaped;
  });
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
  const { transport } = client;
  const isPipe = transport !== undefined && 'pid' in transport && 'stderr' in transport;
  return client.getProtocolEra() === 'modern' && !isPipe;
}

function toListed(raw: unknown, index: number, byHeader: boolean): ListedTool {
  try {
    const locked = toLockedTool(raw);
    const { name, inputSchema } = locked.definition;
    const fault = byHeader ? headerFault(inputSchema) : undefined;
    return { kind: 'tool', name, locked, raw, ...(fault === undefined ? {} : { fault: unusable(fault) }) };
  } catch (cause) {
    const name = nameOf(raw);
    const problem = McpError.is(cause)
      ? cause
      : new McpError('mcp/definition-invalid', 'Reading a definition failed.', { cause });
    const shown = typeof name === 'string' && name !== '' ? name.slice(0, 256).toWellFormed() : `#${index}`;
    return { kind: 'broken', name: shown, problem, raw };
  }
}

/** A broken entry that is shown under the name of another one goes by its place: it costs nobody else anything. */
function apart(entry: ListedTool, index: number, names: ReadonlySet<string>): ListedTool {
  return entry.kind === 'broken' && names.has(entry.name) ? { ...entry, name: `#${index}` } : entry;
}

function unusable({ message, pointer }: HeaderFault): McpError {
  return new McpError('mcp/definition-invalid', message, { pointer: `/inputSchema${pointer}` });
}

function sizeOf(locked: LockedTool): number {
  return Buffer.byteLength(JSON.stringify(locked.definition));
}

function invalid(message: string): McpError {
  return new McpError('mcp/list-invalid', message);
}
