import type { JsonValue } from '../json/json-value.ts';
import { toolOutput } from '../tool/make-output.ts';
import type { OutputPart, ToolOutput } from '../tool/tool-output.ts';
import { ignoreLater } from './is-thenable.ts';
import { redactBytes } from './redact-bytes.ts';
import type { Redactor } from './redactor.ts';

/** An output without secrets, and how many were replaced. */
export interface RedactedOutput {
  readonly output: ToolOutput;
  readonly count: number;
}

/**
 * Applies a redactor to every text of an output that a model can read: texts, JSON strings and member names, names,
 * addresses, descriptions, media types, and base64 of which the bytes are a text. What is no text stays as it is.
 *
 * @throws What the redactor throws, and TypeError when it answers with something else; then nothing may be published.
 */
export function redactOutput(output: ToolOutput, redactor: Redactor): RedactedOutput {
  let count = 0;
  const redact = (text: string): string => {
    const answer = redactor(text);
    const { text: redacted, count: found } = answer;
    if (typeof redacted !== 'string' || !Number.isSafeInteger(found) || found < 0) {
      ignoreLater(answer);
      throw new TypeError('A redactor answers with { text, count }.');
    }
    if (found === 0 && redacted === text) return text;
    count += Math.max(found, 1);
    return redacted;
  };
  const parts = output.parts.map((part) => redactPart(part, redact));
  const { structured } = output;
  const redactedStructured = structured === undefined ? undefined : redactJson(structured, redact);
  if (count === 0) return { output, count };
  return {
    count,
    output: toolOutput(
      redactedStructured === undefined ? { parts } : { parts, structured: redactedStructured },
    ),
  };
}

function redactPart(part: OutputPart, redact: (text: string) => string): OutputPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: redact(part.text) };
    case 'json':
      return { kind: 'json', value: redactJson(part.value, redact) };
    case 'image':
    case 'audio':
    case 'file':
    case 'resource-link': {
      const members = Object.entries(part).map(([name, value]) => [
        name,
        redactMember(part, name, String(value), redact),
      ]);
      // Only the texts of the same members have changed.
      return Object.fromEntries(members) as OutputPart;
    }
  }
}

function redactMember(
  { kind, mediaType = '' }: Exclude<OutputPart, { readonly kind: 'text' | 'json' }>,
  name: string,
  value: string,
  redact: (text: string) => string,
): string {
  if (name === 'kind') return kind;
  return name === 'data' ? redactBytes(value, mediaType, redact) : redact(value);
}

/** Recursion is bounded: a JSON value of an output is at most as deep as the strict encoder lets it be. */
function redactJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  const names = distinct(Object.keys(value).map(redact));
  const members = Object.values(value).map((member, index) => [names[index], redactJson(member, redact)]);
  return Object.fromEntries(members) as JsonValue;
}

/** Two secrets in the names of one object become one text; numbered, so that no value is lost. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  if (taken.size === names.length) return names;
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name) ?? 0;
    let own = name;
    do {
      count += 1;
      own = count === 1 ? name : `${name} (${count})`;
    } while (count > 1 && taken.has(own));
    counts.set(name, count);
    taken.add(own);
    return own;
  });
}
