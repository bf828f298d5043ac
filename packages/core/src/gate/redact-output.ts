import type { JsonValue } from '../json/json-value.ts';
import { toolOutput } from '../tool/make-output.ts';
import type { OutputPart, ToolOutput } from '../tool/tool-output.ts';
import type { Redactor } from './redactor.ts';

/** An output without secrets, and how many were replaced. */
export interface RedactedOutput {
  readonly output: ToolOutput;
  readonly count: number;
}

/**
 * Applies a redactor to every text of an output that a model can read: texts, JSON strings and member names, names,
 * addresses and descriptions. Base64 stays as it is.
 *
 * @throws What the redactor throws, and TypeError when it answers with something else; then nothing may be published.
 */
export function redactOutput(output: ToolOutput, redactor: Redactor): RedactedOutput {
  let count = 0;
  const redact = (text: string): string => {
    const { text: redacted, count: found } = redactor(text);
    if (typeof redacted !== 'string' || !Number.isSafeInteger(found) || found < 0) {
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
      return part;
    case 'file':
    case 'resource-link': {
      const members = Object.entries(part).map(([name, value]) =>
        name === 'kind' || name === 'mediaType' || name === 'data'
          ? [name, value]
          : [name, redact(String(value))],
      );
      // Only the texts of the same members have changed.
      return Object.fromEntries(members) as OutputPart;
    }
  }
}

/** Recursion is bounded: a JSON value of an output is at most as deep as the strict encoder lets it be. */
function redactJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  const members = Object.entries(value).map(([name, member]) => [redact(name), redactJson(member, redact)]);
  return Object.fromEntries(members) as JsonValue;
}
