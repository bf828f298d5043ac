import { McpError } from '../mcp-error.ts';
import { isObject } from '../value-shape.ts';
import { inWords } from './in-words.ts';

/** What a server answered to a call, as far as it is looked at; the blocks are as they came in. */
export interface RemoteResult {
  readonly content: readonly unknown[];
  /** Absent also where the server wrote `null` and has declared no structure that this could be. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/**
 * Reads the result of a call. What a tool has done is not to be lost for a member that nobody needs: only what a result
 * consists of is looked at, structured content may be any value as in the newest revision, and `null` is absent, as
 * servers write that whose language has no other word for it.
 *
 * @param received - As it came in.
 * @param declared - Whether the tool has an output schema.
 * @throws {@link McpError} `mcp/result-invalid`; `mcp/protocol` for a task, of which nobody knows how it ends.
 */
export function readResult(received: Readonly<Record<string, unknown>>, declared: boolean): RemoteResult {
  const result = unwrapped(received);
  // The revision of 2024-10-07 had one value of any kind.
  const { structuredContent = result['toolResult'], content: said } = result;
  const content = listed(said) ?? bare(result, structuredContent) ?? [];
  const isError = result['isError'] ?? (isObject(said) ? said['isError'] : undefined) ?? false;
  if (typeof isError !== 'boolean') throw invalid('isError is no boolean');
  if (content.length === 0 && structuredContent === undefined && isTask(result)) {
    throw new McpError(
      'mcp/protocol',
      'A server made a task of a call that asked for none, and goes on with it.',
    );
  }
  const kind = result['resultType'] ?? 'complete';
  if (kind !== 'complete' && kind !== 'task') throw invalid('its kind is not known');
  const isAbsent = structuredContent === undefined || (structuredContent === null && !declared);
  return { content, isError, ...(isAbsent ? {} : { structuredContent }) };
}

/** A result of a later revision in the one value of the first: frameworks of that time wrap what a tool returns. */
function unwrapped(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { toolResult, content, structuredContent } = result;
  const isWrapped = isObject(toolResult) && Array.isArray(toolResult['content']);
  return isWrapped && content === undefined && structuredContent === undefined
    ? { ...result, toolResult: undefined, ...toolResult, isError: eitherIsError(result, toolResult) }
    : result;
}

/** An error that the one of them tells is none less for what the other says. */
function eitherIsError(
  outer: Readonly<Record<string, unknown>>,
  inner: Readonly<Record<string, unknown>>,
): unknown {
  return outer['isError'] === true ? true : (inner['isError'] ?? outer['isError']);
}

/** The blocks of a result. Some servers hand on what their tool returned, which is one block, or a value of any kind. */
function listed(content: unknown): readonly unknown[] | undefined {
  if (content === undefined || content === null) return undefined;
  return Array.isArray(content) ? content : [content];
}

/** Members of a result that are about it, and not what the tool says. */
const ABOUT: ReadonlySet<string> = new Set([
  '_meta',
  'cacheScope',
  'content',
  'isError',
  'resultType',
  'structuredContent',
  'task',
  'toolResult',
  'ttlMs',
]);

/** What a tool says whose server writes it as the result itself, which clients would take for nothing at all. */
function bare(result: Readonly<Record<string, unknown>>, structure: unknown): readonly unknown[] | undefined {
  if ((structure !== undefined && structure !== null) || isTask(result)) return undefined;
  const said = Object.entries(result).filter(([name]) => !ABOUT.has(name));
  if (said.length === 0) return undefined;
  const text = inWords(Object.fromEntries(said));
  if (text === undefined) throw invalid('it is nested too deep');
  return [{ type: 'text', text }];
}

/** Whether this says that there will be a result: of 2025-11-25, or of the extension for 2026-07-28. */
function isTask(result: Readonly<Record<string, unknown>>): boolean {
  const { task, resultType } = result;
  return resultType === 'task' || (typeof task === 'object' && task !== null);
}

function invalid(why: string): McpError {
  return new McpError('mcp/result-invalid', `A server sent a result that cannot be used: ${why}.`);
}
