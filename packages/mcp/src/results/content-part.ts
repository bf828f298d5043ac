import type { ContentBlock } from '@modelcontextprotocol/client';
import type { OutputPart } from '@toolgate/core';

/** Control characters and the two that end a line, which no label may hold. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const MAX_LABEL = 1_024;
const MAX_URI = 8_000;

/** One block of a result as a part of ours. A kind that is not known becomes a text that names it. */
export function contentPart(block: ContentBlock): OutputPart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { kind: block.type, mediaType: block.mimeType, data: block.data };
    case 'resource_link':
      return {
        kind: 'resource-link',
        uri: uri(block.uri),
        ...label('name', block.title ?? block.name),
        ...label('description', block.description),
        ...(block.mimeType === undefined ? {} : { mediaType: block.mimeType }),
      };
    case 'resource':
      return resourcePart(block.resource);
    default:
      return leftOut(block);
  }
}

function resourcePart(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): OutputPart {
  const address = { uri: uri(resource.uri) };
  if ('text' in resource) {
    return { kind: 'file', mediaType: resource.mimeType ?? 'text/plain', ...address, text: resource.text };
  }
  const mediaType = resource.mimeType ?? 'application/octet-stream';
  return { kind: 'file', mediaType, ...address, data: resource.blob };
}

/** What stands for a block that cannot be given. Never its data: base64 is no text for a model. */
export function leftOut(block: { readonly type: string }): OutputPart {
  const kind = /^[a-z_]{1,32}$/.test(block.type) ? block.type : 'block';
  return { kind: 'text', text: `[${kind} left out: it is malformed or of an unknown kind]` };
}

/** A label in one line; shortened, because it is for finding, not for reading. */
function label<Name extends 'name' | 'description'>(
  name: Name,
  value: string | undefined,
): { readonly [Key in Name]?: string } {
  if (value === undefined || value === '') return {};
  const line = value.replace(CONTROL, ' ');
  const short = line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL).toWellFormed()}…` : line;
  return { [name]: short } as { readonly [Key in Name]?: string };
}

/** An address is not shortened: half of one leads somewhere else. */
function uri(value: string): string {
  return value.length > MAX_URI || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? 'about:invalid' : value;
}
