import type { Protocol } from '../call/protocol.ts';
import { appendTool } from './append-tool.ts';
import type { Edit } from './edit.ts';
import { filterTools } from './filter-tools.ts';
import { type Container, impossible, kindAt, type MemberSpan, memberAt, objectAt } from './json-spans.ts';
import { prependInstruction } from './prepend-instruction.ts';
import type { RequestOutline } from './request-outline.ts';
import { applySplices, moveOutline, type Splice, setMember } from './splice.ts';
import type { KnownToolLists } from './tool-list.ts';

/**
 * Makes edits on a request as its client wrote it: unknown members, the order of members, white space and the spelling
 * of numbers stay as they are, and without edits the text comes back unchanged.
 *
 * @param original - The body; it must be one that `readJson` took, because only its outline is looked at here.
 * @param edits - Made one after the other.
 * @param outline - What {@link createRequestReader} said about this very text, which need not be looked through then.
 * @returns The edited text; `original` decoded, when it was bytes.
 * @throws ModelError `model/edit-impossible` when an edit would have to touch more than it may, for example a tool
 *   choice that demands a tool that is filtered out.
 */
export function applyEdits(
  protocol: Protocol,
  original: string | Uint8Array,
  edits: readonly Edit[],
  outline?: RequestOutline,
): string {
  let text = typeof original === 'string' ? original : decode(original);
  let body = outline?.body;
  let known = outline?.lists;
  // Bodies are long: what can be changed in one go is, and the outline is found once and follows along.
  let waiting: readonly Splice[] = [];
  const places = new Set<Place>();
  for (const edit of edits) {
    body ??= objectAt(text, 0);
    const place = placeOf(edit);
    let splices = splicesOf(protocol, text, { body, known }, edit);
    if (waiting.length > 0 && (places.has(place) || !areApart(waiting, splices))) {
      text = applySplices(text, waiting);
      body = moveOutline(body, waiting);
      if (places.has('tools')) known = undefined;
      places.clear();
      waiting = [];
      splices = splicesOf(protocol, text, { body, known }, edit);
    }
    waiting = waiting.length === 0 ? splices : [...waiting, ...splices];
    places.add(place);
  }
  return applySplices(text, waiting);
}

/** What an edit looks at and changes; edits of different places do not depend on each other. */
type Place = 'tools' | 'instruction' | 'model' | 'stream' | 'usage';

function placeOf(edit: Edit): Place {
  switch (edit.kind) {
    case 'append-tool':
    case 'filter-tools':
      return 'tools';
    case 'prepend-instruction':
      return 'instruction';
    case 'set-model':
      return 'model';
    case 'set-stream':
      return 'stream';
    case 'request-usage':
      return 'usage';
  }
}

/** Whether replacements do not even touch each other, and none of them adds a member: those follow one another. */
function areApart(some: readonly Splice[], others: readonly Splice[]): boolean {
  return some.every(
    (one) =>
      one.adds === undefined &&
      others.every((other) => other.adds === undefined && (one.end < other.start || other.end < one.start)),
  );
}

interface Looked {
  readonly body: Container<MemberSpan>;
  readonly known: KnownToolLists | undefined;
}

function splicesOf(protocol: Protocol, text: string, { body, known }: Looked, edit: Edit): readonly Splice[] {
  switch (edit.kind) {
    case 'append-tool':
      return [appendTool(protocol, text, body, edit.tool)];
    case 'prepend-instruction':
      return [prependInstruction(protocol, text, body, edit)];
    case 'filter-tools':
      return filterTools(protocol, text, body, edit, known);
    case 'set-model':
      return protocol === 'gemini' ? [] : [setMember(body, 'model', edit.model)];
    case 'set-stream':
      return protocol === 'gemini' ? [] : [setMember(body, 'stream', edit.stream)];
    case 'request-usage': {
      if (protocol !== 'openai-chat') return [];
      const options = memberAt(body, 'stream_options');
      if (options === undefined || kindAt(text, options.value) === 'null') {
        return [setMember(body, 'stream_options', { include_usage: true })];
      }
      return [setMember(objectAt(text, options.value.start), 'include_usage', true)];
    }
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark stays, and is then no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw impossible('it is not UTF-8');
  }
}
