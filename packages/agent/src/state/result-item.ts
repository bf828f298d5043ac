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

/** The one entry in the history that answers a call. Deeply frozen, as a model is shown it again with every turn. */
export function toResultItem(outcome: RunOutcome): ToolResultItem {
  const { callId, name, parts, structured, kind, edited } = outcome;
  const content = parts.map(toContent);
  if (edited === true) content.push(textContent(editedNote(outcome)));
  return Object.freeze({
    kind: 'tool-result',
    callId,
    name,
    parts: Object.freeze(content),
    ...(structured === undefined ? {} : { structured }),
    ...(kind === 'completed' ? {} : { isError: true }),
  });
}

/** Adds, one time before the run would end for it, that the call brings nothing new. */
export function repeatNote(item: ToolResultItem, count: number, maxRepeats: number | null): ToolResultItem {
  if (maxRepeats === null || count < 2 || count !== maxRepeats - 1) return item;
  const text = `This call gave the same result ${count} times. Do something else, or answer.`;
  return Object.freeze({ ...item, parts: Object.freeze([...item.parts, textContent(text)]) });
}

function toContent(part: OutputPart): ContentPart {
  switch (part.kind) {
    case 'text':
      return textContent(part.text);
    case 'json':
      return textContent(writeJson(part.value, { maxBytes: 'none', maxDepth: 'none' }));
    case 'image':
    case 'audio':
      return Object.freeze({
        kind: part.kind,
        source: Object.freeze({ kind: 'base64', mediaType: part.mediaType, data: part.data }),
      });
    case 'file':
      return fileContent(part);
    case 'resource-link':
      return textContent(part.name === undefined ? part.uri : `${part.name}: ${part.uri}`);
  }
}

function fileContent({ mediaType, name, data, text }: FilePart): ContentPart {
  const picture = data === undefined ? undefined : pictureTypeOf(mediaType, data);
  return Object.freeze({
    kind: picture === undefined ? 'file' : 'image',
    source: Object.freeze(
      data === undefined
        ? { kind: 'text', mediaType, text: text ?? '' }
        : { kind: 'base64', mediaType: picture ?? mediaType, data },
    ),
    ...(name === undefined ? {} : { name }),
  });
}

function textContent(text: string): ContentPart {
  return Object.freeze({ kind: 'text', text });
}
