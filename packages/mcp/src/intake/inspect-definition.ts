import { appendPointer, type JsonValue } from '@toolgate/core';
import type { LockedDefinition } from '../lock/lock-file.ts';
import { addressedText } from './addressed-text.ts';
import { blankGap } from './blank-gap.ts';
import type { Finding } from './finding.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { hasHiddenMarkup } from './hidden-markup.ts';

/** Findings that one definition reports; the rest is counted by nobody, since one is enough to look. */
const MAX_FINDINGS = 20;
/** UTF-16 units of one text that somebody still reads. */
const MAX_READ = 4_096;
/** UTF-16 units of one text that are looked at; a definition with a longer one cannot be used anyway. */
const MAX_LOOK = 65_536;

/**
 * What a reviewer should look at in a definition: every text in it, the names of members too. Takes time linear in the
 * definition.
 */
export function inspectDefinition(definition: LockedDefinition): readonly Finding[] {
  const findings: Finding[] = [];
  const waiting: { readonly value: JsonValue; readonly pointer: string }[] = [
    { value: definition, pointer: '' },
  ];
  for (let next = waiting.pop(); next !== undefined && findings.length < MAX_FINDINGS; next = waiting.pop()) {
    const { value, pointer } = next;
    if (typeof value === 'string') findings.push(...inspectText(value, pointer));
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        waiting.push({ value: item, pointer: `${pointer}/${index}` });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const place = appendPointer(pointer, name);
        findings.push(...inspectText(name, place));
        waiting.push({ value: member, pointer: place });
      }
    }
  }
  return Object.freeze(findings.slice(0, MAX_FINDINGS).map((finding) => Object.freeze(finding)));
}

function inspectText(whole: string, pointer: string): readonly Finding[] {
  if (whole.length <= SHORT && PLAIN.test(whole)) return [];
  const text = whole.slice(0, MAX_LOOK);
  const findings: Finding[] = [];
  const { count, shown } = hiddenCharacters(text);
  if (count > 0) findings.push({ kind: 'hidden-characters', pointer, detail: `${count} hidden: ${shown}` });
  const gap = blankGap(text);
  if (gap !== undefined) findings.push({ kind: 'hidden-characters', pointer, detail: gap });
  if (hasHiddenMarkup(text)) {
    findings.push({ kind: 'hidden-markup', pointer, detail: 'markup that formatted text does not show' });
  }
  for (const what of addressedText(text))
    findings.push({ kind: 'addresses-model', pointer, detail: `the text ${what}` });
  if (whole.length > MAX_READ) {
    findings.push({ kind: 'over-long', pointer, detail: `${whole.length} characters` });
  }
  return findings;
}

/** Most strings of a definition are words that cannot hold anything. */
const SHORT = 24;
const PLAIN = /^[A-Za-z0-9_ .:#/-]*$/;
