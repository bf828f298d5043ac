import type { ContentBlock } from '@modelcontextprotocol/server';
import type { FilePart, OutputPart, ToolOutput } from '@toolgate/core';

/** The parts of a result as MCP content. An empty result has one empty text, which every client can show. */
export function contentBlocks(output: ToolOutput): ContentBlock[] {
  return output.parts.length === 0 ? [{ type: 'text', text: '' }] : output.parts.map(contentBlock);
}

function contentBlock(part: OutputPart): ContentBlock {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'json':
      return { type: 'text', text: JSON.stringify(part.value) };
    case 'image':
    case 'audio':
      return { type: part.kind, data: part.data, mimeType: part.mediaType };
    case 'file':
      return { type: 'resource', resource: embedded(part) };
    case 'resource-link':
      return {
        type: 'resource_link',
        uri: part.uri,
        name: part.name ?? part.uri,
        ...(part.description === undefined ? {} : { description: part.description }),
        ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }),
      };
  }
}

/** A file inline. MCP wants an address for every resource; one that has none gets its name as a URN. */
function embedded({ uri, name, mediaType, text, data }: FilePart) {
  const shown = {
    uri: uri ?? `urn:toolgate:file:${encodeURIComponent(name ?? 'unnamed')}`,
    mimeType: mediaType,
  };
  return text === undefined ? { ...shown, blob: data ?? '' } : { ...shown, text };
}
