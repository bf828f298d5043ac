import type { FilePart, OutputPart } from '@toolgate/core';
import { writeJson } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '@toolgate/model';
import { pictureTypeOf } from './picture-file.ts';
import type { RunOutcome } from './run-outcome.ts';

const NOT_RUN: ReadonlySet<string> = new Set(['invalid', 'rejected']);

/** Tells the model that what it reads is not about what it wrote, and what it is about. */
function editedNote({ kind, ranWith }: Pick<RunOutcome, 'kind' | 'ranWith'>): string {
  if (NOT_RUN.has(kind)) return 'A reviewer changed the arguments of this call; it did not run.';
  const changed = 'A reviewer changed the arguments of this call before it ran.';
  return ranWith === undefined ? changed : `${changed} It ran with ${ranWith}`;
}

/** The one entry in the history that answers a call. */
export function toResultItem(outcome: RunOutcome): ToolResultItem {
  const { callId, name, parts, structured, kind, edited } = outcome;
  const content = parts.map(toContent);
  return {
    kind: 'tool-result',
    callId,
    name,
    parts: edited === true ? [...content, { kind: 'text', text: editedNote(outcome) }] : content,
    ...(structured === undefined ? {} : { structured }),
    ...(kind === 'completed' ? {} : { isError: true }),
  };
}

/** Adds, one time before the run would end for it, that the call brings nothing new. */
export function repeatNote(item: ToolResultItem, count: number, maxRepeats: number | null): ToolResultItem {
  if (maxRepeats === null || count < 2 || count !== maxRepeats - 1) return item;
  const text = `This call gave the same result ${count} times. Do something else, or answer.`;
  return { ...item, parts: [...item.parts, { kind: 'text', text }] };
}

function toContent(part: OutputPart): ContentPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'json':
      return { kind: 'text', text: writeJson(part.value, { maxBytes: 'none', maxDepth: 'none' }) };
    case 'image':
    case 'audio':
      return { kind: part.kind, source: { kind: 'base64', mediaType: part.mediaType, data: part.data } };
    case 'file':
      return fileContent(part);
    case 'resource-link':
      return { kind: 'text', text: part.name === undefined ? part.uri : `${part.name}: ${part.uri}` };
  }
}

function fileContent({ mediaType, name, data, text }: FilePart): ContentPart {
  const picture = data === undefined ? undefined : pictureTypeOf(mediaType, data);
  return {
    kind: picture === undefined ? 'file' : 'image',
    source:
      data === undefined
        ? { kind: 'text', mediaType, text: text ?? '' }
        : { kind: 'base64', mediaType: picture ?? mediaType, data },
    ...(name === undefined ? {} : { name }),
  };
}
