import { isExactInteger } from './exact-integer.ts';
import { FAILED, fail, failOrEnd, type Inspection } from './inspection.ts';

/**
 * Checks the number that begins at `start` with a digit or a minus sign.
 *
 * @returns The offset after its last character.
 */
export function inspectNumber(inspection: Inspection, start: number): number {
  const { text, rules } = inspection;
  let at = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  if (text.charCodeAt(at) === 0x30) {
    at++;
    if (isDigit(text.charCodeAt(at)))
      return fail(inspection, 'json/bad-number', at, 'no digit after a leading zero');
  } else {
    at = inspectDigits(inspection, at);
  }
  if (at !== FAILED && text.charCodeAt(at) === 0x2e) at = inspectDigits(inspection, at + 1);
  if (at !== FAILED && (text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1);
    at = inspectDigits(inspection, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
  }
  if (at === FAILED || at - start <= 15) return at === FAILED ? FAILED : inspectRange(inspection, start, at);
  if (!rules.allowInexactIntegers && !isExactInteger(text.slice(start, at))) {
    return fail(inspection, 'json/inexact-integer', start);
  }
  return inspectRange(inspection, start, at);
}

function inspectRange(inspection: Inspection, start: number, end: number): number {
  // Without an exponent of three digits it takes more than 300 characters to overflow; the shortest is `1e309`.
  if (end - start < 5) return end;
  return Number.isFinite(Number(inspection.text.slice(start, end)))
    ? end
    : fail(inspection, 'json/number-range', start);
}

function inspectDigits(inspection: Inspection, start: number): number {
  let at = start;
  while (isDigit(inspection.text.charCodeAt(at))) at++;
  return at > start ? at : failOrEnd(inspection, 'json/bad-number', at, 'a digit');
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
