import type { JsonValue } from '@toolgate/core';
import type { LockedDefinition } from '@toolgate/mcp';
import { formatCount } from '../terminal/format-count.ts';
import type { Paint } from '../terminal/paint.ts';
import { compactJson } from './compact-json.ts';
import { revealText } from './reveal-text.ts';

const MEMBERS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
/** Characters of one member: more than a tool may have that can be used. */
const MAX_SHOWN = 131_072;

/** A whole definition for a reviewer, in the order of what a model is told first. */
export function formatDefinition(definition: LockedDefinition, paint: Paint): string {
  return MEMBERS.map((member) => {
    const value = definition[member];
    if (value === undefined) return '';
    const text = toText(value);
    const shown = text.slice(0, MAX_SHOWN);
    const more = text.length - shown.length;
    const left = more === 0 ? '' : `\n${paint('bad', `${formatCount(more)} characters more are not shown`)}`;
    return `${indent(paint('quiet', member), 2)}${indent(revealText(shown) + left, 6)}`;
  }).join('');
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : compactJson(value);
}

/** Every line behind so many spaces; ends with a line break. */
export function indent(text: string, spaces: number): string {
  const margin = ' '.repeat(spaces);
  return `${text
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n')}\n`;
}
