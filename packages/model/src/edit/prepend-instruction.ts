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

type Instruction = Extract<Edit, { readonly kind: 'prepend-instruction' }>;

/** Puts an instruction before all others of a request. */
export function prependInstruction(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  instruction: Instruction,
): Splice {
  switch (protocol) {
    case 'openai-chat':
      return toMessages(text, body, instruction);
    case 'openai-responses':
      return toField(text, body, instruction);
    case 'anthropic':
      return toSystem(text, body, instruction);
    case 'gemini':
      return toSystemInstruction(text, body, instruction);
  }
}

function toMessages(
  text: JsonText,
  body: Container<MemberSpan>,
  { role, text: content }: Instruction,
): Splice {
  const messages = memberAt(body, 'messages');
  if (messages === undefined) throw impossible('it has no messages');
  return prependElement(text, messages.value, { role, content });
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

function toSystem(text: JsonText, body: Container<MemberSpan>, { text: content }: Instruction): Splice {
  const system = memberAt(body, 'system');
  if (system === undefined) return setMember(body, 'system', content);
  const { value } = system;
  switch (kindAt(text, value)) {
    case 'null':
      return setMember(body, 'system', content);
    case 'array':
      return prependElement(text, value, block(content));
    case 'string': {
      if (isEmptyString(value)) return setMember(body, 'system', content);
      const own = text.slice(value.start, value.end);
      return { ...value, text: `[${JSON.stringify(block(content))},{"type":"text","text":${own}}]` };
    }
    case 'object':
    case 'other':
      throw impossible('its system member has another shape');
  }
}

function toSystemInstruction(
  text: JsonText,
  body: Container<MemberSpan>,
  { text: content }: Instruction,
): Splice {
  const known = memberAt(body, 'systemInstruction') ?? memberAt(body, 'system_instruction');
  if (known === undefined || kindAt(text, known.value) === 'null') {
    return setMember(body, known?.name ?? 'systemInstruction', { parts: [{ text: content }] });
  }
  const instruction = objectAt(text, known.value.start);
  const parts = memberAt(instruction, 'parts');
  if (parts === undefined || kindAt(text, parts.value) === 'null') {
    return setMember(instruction, 'parts', [{ text: content }]);
  }
  // One part alone may stand without its list.
  if (kindAt(text, parts.value) === 'object') {
    const own = text.slice(parts.value.start, parts.value.end);
    return { ...parts.value, text: `[${JSON.stringify({ text: content })},${own}]` };
  }
  return prependElement(text, parts.value, { text: content });
}

function block(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

function isEmptyString({ start, end }: Span): boolean {
  return end - start === 2;
}
