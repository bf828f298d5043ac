import { ContractError, type OutputPart, type ToolOutput, toolOutput } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { contentPart, leftOut } from './content-part.ts';
import type { RemoteResult } from './read-result.ts';
import { shownStructure } from './shown-structure.ts';

/** More blocks than this are not looked at. */
const MAX_BLOCKS = 1_000;

/**
 * A result of a server as an output. Blocks that cannot be given are named in their place; structured content goes
 * along for the contract to check, and is a part, too, where the others do not say what it says.
 *
 * @throws {@link ContractError} `tool/output-invalid` for structured content that no JSON can carry.
 * @throws {@link McpError} `mcp/result-invalid` where there are blocks, and nothing at all can be given.
 */
export function toOutput({ content, structuredContent }: RemoteResult): ToolOutput {
  const structured = structuredContent === undefined ? {} : { structured: structuredContent as never };
  const blocks = content.slice(0, MAX_BLOCKS);
  const read = blocks.map((block) => contentPart(block));
  const isEmpty = read.every((part) => part === undefined);
  if (isEmpty && read.length > 0 && structuredContent === undefined) {
    throw new McpError('mcp/result-invalid', 'A server sent a result of which nothing can be used.');
  }
  const parts = read.map((part, index) => part ?? leftOut(blocks[index]));
  if (content.length > MAX_BLOCKS) {
    parts.push({ kind: 'text', text: `[${content.length - MAX_BLOCKS} more blocks left out]` });
  }
  const shown =
    shownStructure(structuredContent, isEmpty ? [] : parts) ?? (isEmpty ? structuredContent : undefined);
  if (shown !== undefined) parts.push({ kind: 'json', value: shown as never });
  try {
    return toolOutput({ parts, ...structured });
  } catch (error) {
    // Each by itself, so that one block costs the result no other.
    if (!ContractError.is(error) || error.pointer?.startsWith('/structured') === true) throw error;
    const kept = parts.map((part, index) => (isSound(part) ? part : leftOut(blocks[index])));
    return toolOutput({ parts: kept, ...structured });
  }
}

function isSound(part: OutputPart): boolean {
  try {
    toolOutput({ parts: [part] });
    return true;
  } catch {
    return false;
  }
}
