import type { OutputPart } from '@toolgate/core';
import { writeJson } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '@toolgate/model';
import type { RunOutcome } from './run-outcome.ts';

/** The one entry in the history that answers a call. */
export function toResultItem(outcome: RunOutcome): ToolResultItem {
  const { callId, name, parts, structured, kind } = outcome;
  return {
    kind: 'tool-result',
    callId,
    name,
    parts: parts.map(toContent),
    ...(structured === undefined ? {} : { structured }),
    ...(kind === 'completed' ? {} : { isError: true }),
  };
}

function toContent(part: OutputPart): ContentPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'json':
      return { kind: 'text', text: writeJson(part.value, { maxBytes: 'none' }) };
    case 'image':
    case 'audio':
      return { kind: part.kind, source: { kind: 'base64', mediaType: part.mediaType, data: part.data } };
    case 'file':
      return {
        kind: 'file',
        source:
          part.data === undefined
            ? { kind: 'text', mediaType: part.mediaType, text: part.text ?? '' }
            : { kind: 'base64', mediaType: part.mediaType, data: part.data },
        ...(part.name === undefined ? {} : { name: part.name }),
      };
    case 'resource-link':
      return { kind: 'text', text: part.name === undefined ? part.uri : `${part.name}: ${part.uri}` };
  }
}
