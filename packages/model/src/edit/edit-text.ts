import type { Protocol } from '../call/protocol.ts';
import { appendTool } from './append-tool.ts';
import type { Edit } from './edit.ts';
import { filterTools } from './filter-tools.ts';
import { type Container, kindAt, type MemberSpan, memberAt, objectAt } from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { nameLimit } from './name-limit.ts';
import { prependInstruction } from './prepend-instruction.ts';
import type { RequestOutline } from './request-outline.ts';
import { moveOutline, type Splice, setMember } from './splice.ts';
import type { KnownToolLists } from './tool-list.ts';

/** A kind of text that edits can be made on. */
export interface TextForm<Text extends JsonText> {
  /** Replacements in units of such a text. */
  toUnits(splices: readonly Splice[]): readonly Splice[];
  /** The text with replacements in its units made. */
  splice(text: Text, splices: readonly Splice[]): Text;
}

/**
 * Makes edits one after the other.
 *
 * @param outline - Of this very text, in its units.
 * @throws ModelError `model/edit-impossible`.
 */
export function editText<Text extends JsonText>(
  protocol: Protocol,
  original: Text,
  edits: readonly Edit[],
  form: TextForm<Text>,
  outline?: RequestOutline,
): Text {
  let text = original;
  let body = outline?.body;
  let known = outline?.lists;
  // Bodies are long: what can be changed in one go is, and the outline is found once and follows along.
  let waiting: readonly Splice[] = [];
  const places: Place[] = [];
  for (const edit of edits) {
    body ??= objectAt(text, 0);
    const place = placeOf(edit);
    let splices = form.toUnits(splicesOf(protocol, text, { body, known }, edit));
    if (waiting.length > 0 && (places.includes(place) || !areApart(waiting, splices))) {
      text = form.splice(text, waiting);
      // A name that changed is not known to the outline.
      body = places.includes('limit') ? objectAt(text, 0) : moveOutline(body, waiting);
      if (places.includes('tools')) known = undefined;
      places.length = 0;
      waiting = [];
      splices = form.toUnits(splicesOf(protocol, text, { body, known }, edit));
    }
    waiting = waiting.length === 0 ? splices : [...waiting, ...splices];
    places.push(place);
  }
  return waiting.length === 0 ? text : form.splice(text, waiting);
}

/** What an edit looks at and changes; edits of different places do not depend on each other. */
type Place = 'tools' | 'instruction' | 'model' | 'stream' | 'usage' | 'limit';

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
    case 'name-limit':
      return 'limit';
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

function splicesOf(
  protocol: Protocol,
  text: JsonText,
  { body, known }: Looked,
  edit: Edit,
): readonly Splice[] {
  switch (edit.kind) {
    case 'append-tool':
      return appendTool(protocol, text, body, edit.tool);
    case 'prepend-instruction':
      return prependInstruction(protocol, text, body, edit);
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
    case 'name-limit':
      return protocol === 'openai-chat' ? nameLimit(text, body, edit.name) : [];
  }
}
