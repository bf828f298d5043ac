import type { LockedTool } from '../lock/lock-file.ts';
import { McpError } from '../mcp-error.ts';
import { isSameTool, type ListedTool, type Listing, placeOf, toListed } from './listed-tool.ts';
import { quoteName } from './quote-name.ts';

/** How many tools a list may have, and how large they may be. */
export interface CollectorLimits {
  readonly maxTools: number;
  /** UTF-8 bytes of all definitions as canonical JSON. */
  readonly maxListBytes: number;
}

/** The entries of a list, page by page. */
export interface ToolCollector {
  /** @throws {@link McpError} `mcp/list-invalid` for a name of an earlier page, and beyond the limits. */
  readonly take: (page: readonly unknown[]) => void;
  /** What was taken. */
  readonly listed: () => readonly ListedTool[];
}

/**
 * Gathers the entries of a list. A name that one page says twice is one tool where both say the same; else nobody can say
 * which of them a call reaches, and neither can be used. A tool that comes again on a later page is how a list looks that
 * has no end.
 */
export function toolCollector(limits: CollectorLimits, listing: Listing): ToolCollector {
  const listed: ListedTool[] = [];
  const places = new Map<string, number>();
  let taken = 0;
  let bytes = 0;

  const add = (entry: ListedTool, pageStart: number): void => {
    const place = places.get(entry.name);
    const earlier = place === undefined ? undefined : listed[place];
    if (place === undefined || earlier === undefined) {
      places.set(entry.name, listed.length);
      listed.push(entry);
      return;
    }
    // A broken entry that is shown under the name of another one goes by its place: it costs nobody else anything.
    if (entry.kind === 'broken') listed.push({ ...entry, name: placeOf(listed.length) });
    else if (place < pageStart) throw invalid(`The server lists ${quoteName(entry.name)} twice.`);
    else if (!isSameTool(earlier, entry)) {
      listed[place] = ambiguous(earlier, entry.name);
      listed.push(ambiguous(entry, placeOf(listed.length)));
    }
  };

  return {
    take: (page) => {
      const pageStart = listed.length;
      for (const raw of page) {
        if (taken === limits.maxTools) throw invalid(`The server lists more than ${limits.maxTools} tools.`);
        taken += 1;
        const entry = toListed(raw, listed.length, listing);
        bytes += entry.kind === 'tool' ? sizeOf(entry.locked) : 0;
        if (bytes > limits.maxListBytes)
          throw invalid(`The list of tools has more than ${limits.maxListBytes} bytes.`);
        add(entry, pageStart);
      }
    },
    listed: () => Object.freeze(listed),
  };
}

function ambiguous(entry: ListedTool, name: string): ListedTool {
  if (entry.kind === 'broken') return entry;
  const problem = new McpError(
    'mcp/definition-invalid',
    'The server lists this name twice, with two definitions: nobody can say which of them a call reaches.',
    { pointer: '/name' },
  );
  return { kind: 'broken', name, problem, raw: entry.raw };
}

function sizeOf(locked: LockedTool): number {
  return Buffer.byteLength(JSON.stringify(locked.definition));
}

function invalid(message: string): McpError {
  return new McpError('mcp/list-invalid', message);
}
