import { inspectNumber } from './inspect-number.ts';
import { inspectString } from './inspect-string.ts';
import { FAILED, fail, failOrEnd, type Inspection } from './inspection.ts';
import type { JsonFault } from './json-fault.ts';
import { addMemberName, createMemberNames, isForbiddenMember, type MemberNames } from './member-names.ts';
import type { ReadRules } from './read-rules.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The first fault of a text in document order, by the strict grammar: RFC 8259 with the demands of RFC 7493 and the
 * given rules. The authority on what is accepted; builds no value and needs no call stack for nesting.
 *
 * @returns `undefined` when the text is accepted.
 */
export function findFault(text: string, rules: ReadRules): JsonFault | undefined {
  if (text.charCodeAt(0) === 0xfeff) return { code: 'json/bom', offset: 0 };
  const inspection: Inspection = { text, rules, open: [], escapes: 0, fault: undefined };
  let at = skipSpace(text, 0);
  for (;;) {
    at = inspectValue(inspection, at);
    if (at !== FAILED) at = inspectAfterValue(inspection, at);
    if (at === FAILED) return inspection.fault;
    if (inspection.open.length === 0) return undefined;
  }
}

/** Reads opening brackets and then one scalar or empty container; leaves off after it. */
function inspectValue(inspection: Inspection, start: number): number {
  const { text, rules, open } = inspection;
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== OPEN_OBJECT && unit !== OPEN_ARRAY) return inspectScalar(inspection, at, unit);
    if (open.length >= rules.maxDepth) return fail(inspection, 'json/too-deep', at);
    at = skipSpace(text, at + 1);
    if (unit === OPEN_ARRAY) {
      if (text.charCodeAt(at) === CLOSE_ARRAY) return at + 1;
      open.push(undefined);
    } else {
      if (text.charCodeAt(at) === CLOSE_OBJECT) return at + 1;
      const names = createMemberNames(open.at(-1)?.last === 'constructor');
      open.push(names);
      at = inspectName(inspection, names, at);
      if (at === FAILED) return FAILED;
    }
  }
}

/** Reads closing brackets up to a comma or the end; leaves off at the next value, or with nothing open. */
function inspectAfterValue(inspection: Inspection, start: number): number {
  const { text, open } = inspection;
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    if (open.length === 0) return at === text.length ? at : fail(inspection, 'json/trailing-data', at);
    const names = open.at(-1);
    const unit = text.charCodeAt(at);
    if (unit === COMMA) {
      at = skipSpace(text, at + 1);
      return names === undefined ? at : inspectName(inspection, names, at);
    }
    if (unit !== (names === undefined ? CLOSE_ARRAY : CLOSE_OBJECT)) {
      return failOrEnd(
        inspection,
        'json/unexpected-token',
        at,
        names === undefined ? "',' or ']'" : "',' or '}'",
      );
    }
    open.pop();
    at++;
  }
}

/** Reads a member name and its colon; leaves off at the member's value. */
function inspectName(inspection: Inspection, names: MemberNames, start: number): number {
  const { text, rules } = inspection;
  if (text.charCodeAt(start) !== QUOTE)
    return failOrEnd(inspection, 'json/unexpected-token', start, 'a member name');
  const escapes = inspection.escapes;
  const end = inspectString(inspection, start);
  if (end === FAILED) return FAILED;
  const escaped = inspection.escapes > escapes;
  const name = escaped ? String(JSON.parse(text.slice(start, end))) : text.slice(start + 1, end - 1);
  if (!addMemberName(names, name)) return fail(inspection, 'json/duplicate-member', start);
  if (!rules.allowForbiddenMembers && isForbiddenMember(names, name)) {
    return fail(inspection, 'json/forbidden-member', start);
  }
  const at = skipSpace(text, end);
  if (text.charCodeAt(at) !== COLON) return failOrEnd(inspection, 'json/unexpected-token', at, "':'");
  return skipSpace(text, at + 1);
}

function inspectScalar(inspection: Inspection, at: number, unit: number): number {
  if (unit === QUOTE) return inspectString(inspection, at);
  if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return inspectNumber(inspection, at);
  if (unit === 0x74) return inspectWord(inspection, at, 'true');
  if (unit === 0x66) return inspectWord(inspection, at, 'false');
  if (unit === 0x6e) return inspectWord(inspection, at, 'null');
  return failOrEnd(inspection, 'json/unexpected-token', at, 'a value');
}

function inspectWord(inspection: Inspection, at: number, word: string): number {
  const { text } = inspection;
  if (text.startsWith(word, at)) return at + word.length;
  if (word.startsWith(text.slice(at))) return fail(inspection, 'json/unexpected-end', text.length, word);
  return fail(inspection, 'json/unexpected-token', at, 'a value');
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at++;
  }
}
