import { isExactInteger } from './exact-integer.ts';
import { FAILED, fail, failOrEnd, type Inspection } from './inspection.ts';

/** A number of so many characters before its exponent has few enough digits for any double. */
const ALWAYS_KEPT = 15;
/** So many characters before an exponent of at most two digits are finite. */
const ALWAYS_FINITE = 200;
/** The largest integer up to which a double holds each. */
const LARGEST_SAFE = '9007199254740992';

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
  const whole = at;
  let next = text.charCodeAt(at);
  if (next === 0x2e) {
    at = inspectDigits(inspection, at + 1);
    if (at === FAILED) return FAILED;
    next = text.charCodeAt(at);
  }
  const mantissa = at;
  let mayOverflow = mantissa - start > ALWAYS_FINITE;
  if (next === 0x65 || next === 0x45) {
    const sign = text.charCodeAt(at + 1);
    const power = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    at = inspectDigits(inspection, power);
    if (at === FAILED) return FAILED;
    mayOverflow ||= sign !== 0x2d && at - power > 2;
  } else if (isKept(text, start, whole, mantissa)) {
    return mayOverflow ? inspectValue(inspection, start, at, false) : at;
  }
  const mayRound = mantissa - start > ALWAYS_KEPT;
  return mayOverflow || mayRound ? inspectValue(inspection, start, at, mayRound) : at;
}

/** Whether a number without an exponent is no integer, or one of those that every double keeps. */
function isKept(text: string, start: number, whole: number, end: number): boolean {
  if (end - start <= ALWAYS_KEPT) return true;
  if (end > whole) return text.charCodeAt(end - 1) !== 0x30;
  const digits = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  return end - digits === LARGEST_SAFE.length && text.slice(digits, end) <= LARGEST_SAFE;
}

/** Checks what a double makes of the token, unless the text was cut off and the token may go on. */
function inspectValue(inspection: Inspection, start: number, end: number, mayRound: boolean): number {
  const { text, open, rules } = inspection;
  if (end === text.length && open.length > 0) return end;
  const token = text.slice(start, end);
  if (!Number.isFinite(Number(token))) return fail(inspection, 'json/number-range', start);
  if (!mayRound || rules.allowInexactIntegers || isExactInteger(token)) return end;
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
