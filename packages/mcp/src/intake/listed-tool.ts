import type { LockedTool } from '../lock/lock-file.ts';
import { toLockedTool } from '../lock/to-locked-tool.ts';
import { McpError } from '../mcp-error.ts';
import { isObject } from '../value-shape.ts';
import { headerFault } from './header-fault.ts';

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

/** What the connection decides about the tools that are listed over it. */
export interface Listing {
  /** Whether parameters may travel in headers. */
  readonly byHeader: boolean;
  /** Whether a definition says if its tool is called as a task, as in 2025-11-25. */
  readonly byTask: boolean;
}

/** Whether two entries stand for the same usable or unusable tool. What is broken may be broken otherwise the next time. */
export function isSameTool(left: ListedTool, right: ListedTool): boolean {
  return (
    left.kind === 'tool' &&
    right.kind === 'tool' &&
    left.locked.digest === right.locked.digest &&
    (left.fault === undefined) === (right.fault === undefined)
  );
}

/** Takes one entry in. It is detached and frozen here; what is no definition is broken. */
export function toListed(raw: unknown, index: number, listing: Listing): ListedTool {
  try {
    const locked = toLockedTool(raw);
    const fault = faultOf(raw, locked, listing);
    return { kind: 'tool', name: locked.definition.name, locked, raw, ...(fault && { fault }) };
  } catch (cause) {
    const name = isObject(raw) ? raw['name'] : undefined;
    const problem = McpError.is(cause)
      ? cause
      : new McpError('mcp/definition-invalid', 'Reading a definition failed.', { cause });
    const shown =
      typeof name === 'string' && name !== '' ? name.slice(0, 256).toWellFormed() : placeOf(index);
    return { kind: 'broken', name: shown, problem, raw };
  }
}

/** What an entry is called that cannot have its name. */
export function placeOf(index: number): string {
  return `#${index}`;
}

function faultOf(
  raw: unknown,
  { definition }: LockedTool,
  { byHeader, byTask }: Listing,
): McpError | undefined {
  // Whatever is called otherwise is refused by its server: a model would be offered a tool that always fails.
  if (byTask && wantsTask(raw)) {
    return new McpError(
      'mcp/definition-invalid',
      'It is called as a task alone, which this client does not do.',
      {
        pointer: '/execution/taskSupport',
      },
    );
  }
  const fault = byHeader ? headerFault(definition['inputSchema']) : undefined;
  return (
    fault &&
    new McpError('mcp/definition-invalid', fault.message, { pointer: `/inputSchema${fault.pointer}` })
  );
}

function wantsTask(raw: unknown): boolean {
  const execution = isObject(raw) ? raw['execution'] : undefined;
  return isObject(execution) && execution['taskSupport'] === 'required';
}
