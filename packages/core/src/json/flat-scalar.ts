import type { JsonScalar } from './json-value.ts';

/** A double holds each integer of so many digits, and each of their quotients by these is rounded once, as it should be. */
const MOST_DIGITS = 15;
const TENS: readonly number[] = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => Number(`1e${digits}`));

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;

/** The offset after the scalar that begins here; 0 for anything else. */
export function scalarEnd(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return text.indexOf('"', at + 1) + 1;
    case LOWER_T:
      return text.startsWith('true', at) ? at + 4 : 0;
    case LOWER_F:
      return text.startsWith('false', at) ? at + 5 : 0;
    case LOWER_N:
      return text.startsWith('null', at) ? at + 4 : 0;
    default:
      return numberEnd(text, at);
  }
}

function numberEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const whole = digitsEnd(text, first);
  if (whole === first || (whole - first > 1 && text.charCodeAt(first) === ZERO)) return 0;
  if (text.charCodeAt(whole) !== POINT) return whole - first > MOST_DIGITS ? 0 : whole;
  const end = digitsEnd(text, whole + 1);
  return end === whole + 1 || end - first > MOST_DIGITS + 1 ? 0 : end;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  for (let unit = text.charCodeAt(end); unit >= ZERO && unit <= NINE; unit = text.charCodeAt(end)) end++;
  return end;
}

/** The scalar between two offsets, of which {@link scalarEnd} gave the second. */
export function scalarOf(text: string, at: number, end: number): JsonScalar {
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return text.slice(at + 1, end - 1);
    case LOWER_T:
      return true;
    case LOWER_F:
      return false;
    case LOWER_N:
      return null;
    default:
      return numberOf(text, at, end);
  }
}

function numberOf(text: string, start: number, end: number): number {
  const negative = text.charCodeAt(start) === MINUS;
  let digits = 0;
  let fraction = end;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === POINT) fraction = at + 1;
    else digits = digits * 10 + (unit - ZERO);
  }
  const value = digits / (TENS[end - fraction] ?? 1);
  return negative ? -value : value;
}
