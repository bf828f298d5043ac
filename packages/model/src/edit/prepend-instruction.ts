import type { Protocol } from '../call/protocol.ts';
import type { Edit } from './edit.ts';
import {
  type Container,
  impossible,
  kindAt,
  type MemberSpan,
  memberAt,
  objectAt,
  type Span,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { prependElement, type Splice, setMember } from './splice.ts';
import { rememberForms, type WrittenJson, writeOnce } from './written-json.ts';

type Instruction = Extract<Edit, { readonly kind: 'prepend-instruction' }>;

/** Puts an instruction before all others of a request. */
export function prependInstruction(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  instruction: Instruction,
): readonly Splice[] {
  switch (protocol) {
    case 'openai-chat':
      return toMessages(text, body, instruction);
    case 'openai-responses':
      return [toField(text, body, instruction)];
    case 'anthropic':
      return toSystem(text, body, instruction);
    case 'gemini':
      return toSystemInstruction(text, body, instruction);
  }
}

/** An instruction as an element of the list in which a protocol has them. */
const elementOf = rememberForms((protocol, { role, text }: Instruction) => {
  if (protocol === 'openai-chat') return writeOnce({ role, content: text });
  return writeOnce(protocol === 'gemini' ? { text } : block(text));
});

function toMessages(
  text: JsonText,
  body: Container<MemberSpan>,
  instruction: Instruction,
): readonly Splice[] {
  const messages = memberAt(body, 'messages');
  if (messages === undefined) throw impossible('it has no messages');
  return prependElement(text, messages.value, elementOf('openai-chat', instruction));
}

/**
 * The dedicated member of OpenAI Responses is one text. It comes before the input and is no part of what the provider
 * stores, so an instruction of ours belongs there, with a blank line between it and the client's own.
 */
function toField(text: JsonText, body: Container<MemberSpan>, { text: content }: Instruction): Splice {
  const field = memberAt(body, 'instructions');
  if (field === undefined || kindAt(text, field.value) === 'null' || isEmptyString(field.value)) {
    return setMember(body, 'instructions', content);
  }
  if (kindAt(text, field.value) !== 'string') throw impossible('its instructions are no text');
  const start = field.value.start + 1;
  return { start, end: start, text: JSON.stringify(`${content}\n\n`).slice(1, -1) };
}

function toSystem(text: JsonText, body: Container<MemberSpan>, instruction: Instruction): readonly Splice[] {
  const { text: content } = instruction;
  const system = memberAt(body, 'system');
  if (system === undefined) return [setMember(body, 'system', content)];
  const { value } = system;
  switch (kindAt(text, value)) {
    case 'null':
      return [setMember(body, 'system', content)];
    case 'array':
      return prependElement(text, value, elementOf('anthropic', instruction));
    case 'string': {
      if (isEmptyString(value)) return [setMember(body, 'system', content)];
      const added = elementOf('anthropic', instruction);
      return besideFirst(value, added, { open: ',{"type":"text","text":"', close: '"}]' });
    }
    case 'object':
    case 'other':
      throw impossible('its system member has another shape');
  }
}

function toSystemInstruction(
  text: JsonText,
  body: Container<MemberSpan>,
  instruction: Instruction,
): readonly Splice[] {
  const { text: content } = instruction;
  const known = memberAt(body, 'systemInstruction') ?? memberAt(body, 'system_instruction');
  if (known === undefined || kindAt(text, known.value) === 'null') {
    return [setMember(body, known?.name ?? 'systemInstruction', { parts: [{ text: content }] })];
  }
  const outer = objectAt(text, known.value.start);
  const parts = memberAt(outer, 'parts');
  if (parts === undefined || kindAt(text, parts.value) === 'null') {
    return [setMember(outer, 'parts', [{ text: content }])];
  }
  const added = elementOf('gemini', instruction);
  // One part alone may stand without its list.
  if (kindAt(text, parts.value) === 'object') {
    return besideFirst(parts.value, added, { open: ',{', close: '}]' });
  }
  return prependElement(text, parts.value, added);
}

/**
 * Makes a list of a value, with an element before it. The value stays where it is, however long: only its first and its
 * last character are written again, so that they count as parts of it.
 */
function besideFirst(
  { end, start }: Span,
  element: WrittenJson,
  { close, open }: { readonly open: string; readonly close: string },
): readonly Splice[] {
  const inside = start + 1;
  return [
    { start, end: inside, text: '[' },
    { start: inside, end: inside, text: element.text, written: element },
    { start: inside, end: inside, text: open },
    { start: end - 1, end, text: close },
  ];
}

function block(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

function isEmptyString({ start, end }: Span): boolean {
  return end - start === 2;
}
