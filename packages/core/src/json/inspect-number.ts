import { isExactInteger } from './exact-integer.ts';
import { FAILED, fail, failOrEnd, type Inspection } from './inspection.ts';

/** A token of so many characters without an exponent is kept exactly where it is an integer. */
const ALWAYS_KEPT = 15;
/** A token of so many characters is finite, with a negative exponent or one of two digits too. */
const ALWAYS_FINITE = 200;

/**
 * Checks the number that begins at `start` with a digit or a minus sign.
 *
 * @returns The offset after its last character.
 */
export function inspectNumber(inspection: Inspection, start: number): number {
  const { text } = inspection;
  let at = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  if (text.charCodeAt(at) === 0x30) {
    at++;
    if (isDigit(text.charCodeAt(at)))
      return fail(inspection, 'json/bad-number', at, 'no digit after a leading zero');
  } else {
    at = inspectDigits(inspection, at);
    if (at === FAILED) return FAILED;
  }
  let next = text.charCodeAt(at);
  let mayBeInteger = true;
  if (next === 0x2e) {
    at = inspectDigits(inspection, at + 1);
    if (at === FAILED) return FAILED;
    next = text.charCodeAt(at);
    mayBeInteger = text.charCodeAt(at - 1) === 0x30;
  }
  const isShort = at - start <= ALWAYS_KEPT;
  if (next !== 0x65 && next !== 0x45) {
    if (isShort || (!mayBeInteger && at - start <= ALWAYS_FINITE)) return at;
    return inspectMagnitude(inspection, start, at);
  }
  const sign = text.charCodeAt(at + 1);
  const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
  at = inspectDigits(inspection, exponent);
  if (at === FAILED || (isShort && (sign === 0x2d || at - exponent <= 2))) return at;
  return inspectMagnitude(inspection, start, at);
}

/** Checks what a double makes of the token, unless the text was cut off and the token may go on. */
function inspectMagnitude(inspection: Inspection, start: number, end: number): number {
  const { text, open } = inspection;
  if (end === text.length && open.length > 0) return end;
  const token = text.slice(start, end);
  if (!Number.isFinite(Number(token))) return fail(inspection, 'json/number-range', start);
  if (inspection.rules.allowInexactIntegers || isExactInteger(token)) return end;
  return fail(inspection, 'json/inexact-integer', start);
}

function inspectDigits(inspection: Inspection, start: number): number {
  const { text } = inspection;
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at > start ? at : failOrEnd(inspection, 'json/bad-number', at, 'a digit');
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
