import { FAILED, fail, failOrEnd, type Inspection } from './inspection.ts';
import { isNoncharacter } from './noncharacter.ts';

/** Units of a string looked at one by one before a native search takes over. */
const PATIENCE = 32;
/** Everything but plain characters. Used with an explicit `lastIndex` only. */
const SPECIAL = /[^ !#-[\]-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd]/g;

/**
 * Checks the string literal whose opening quote is at `start`.
 *
 * @returns The offset after the closing quote.
 */
export function inspectString(inspection: Inspection, start: number): number {
  const { text } = inspection;
  let at = start + 1;
  let stop = at + PATIENCE;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit >= 0x20 && unit < 0xd800 && unit !== 0x5c) {
      at++;
      if (at < stop) continue;
      at = nextSpecial(text, at);
      stop = at + PATIENCE;
    } else {
      at = inspectSpecial(inspection, at, unit);
      if (at === FAILED) return FAILED;
    }
  }
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length;
}

function inspectSpecial(inspection: Inspection, at: number, unit: number): number {
  if (unit === 0x5c) return inspectEscape(inspection, at);
  if (unit >= 0xd800) return inspectHighUnit(inspection, at, unit);
  return failOrEnd(inspection, 'json/control-character', at, 'the closing quote');
}

/** A raw unit from U+D800 on: a surrogate, or a character that may be a noncharacter. */
function inspectHighUnit(inspection: Inspection, at: number, unit: number): number {
  const { text } = inspection;
  if (unit >= 0xe000) return inspectPoint(inspection, at, unit, at + 1);
  if (unit < 0xdc00 && at + 1 === text.length) return fail(inspection, 'json/unexpected-end', text.length);
  const low = text.charCodeAt(at + 1);
  if (unit >= 0xdc00 || !isLow(low)) return fail(inspection, 'json/lone-surrogate', at);
  return inspectPoint(inspection, at, toPoint(unit, low), at + 2);
}

function inspectEscape(inspection: Inspection, at: number): number {
  inspection.escapes++;
  switch (inspection.text.charCodeAt(at + 1)) {
    case 0x22: // "
    case 0x2f: // /
    case 0x5c: // \
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      return inspectUnicodeEscape(inspection, at);
    default:
      if (at + 1 === inspection.text.length) return fail(inspection, 'json/unexpected-end', at + 1);
      return fail(inspection, 'json/bad-escape', at);
  }
}

function inspectUnicodeEscape(inspection: Inspection, at: number): number {
  const { text } = inspection;
  const unit = readUnit(inspection, at);
  if (unit === FAILED) return FAILED;
  if (unit < 0xd800 || unit > 0xdfff) return inspectPoint(inspection, at, unit, at + 6);
  if (unit >= 0xdc00) return fail(inspection, 'json/lone-surrogate', at);
  // A text cut off where the low half could still follow is incomplete, not wrong.
  if (at + 7 >= text.length && '\\u'.startsWith(text.slice(at + 6))) {
    return fail(inspection, 'json/unexpected-end', text.length);
  }
  if (!text.startsWith('\\u', at + 6)) return fail(inspection, 'json/lone-surrogate', at);
  const low = readUnit(inspection, at + 6);
  if (low === FAILED) return FAILED;
  if (!isLow(low)) return fail(inspection, 'json/lone-surrogate', at);
  return inspectPoint(inspection, at, toPoint(unit, low), at + 12);
}

/** The value of the `\uXXXX` at the offset. */
function readUnit(inspection: Inspection, at: number): number {
  const { text } = inspection;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const digit = toHexDigit(text.charCodeAt(i));
    if (digit === FAILED) {
      if (i >= text.length) return fail(inspection, 'json/unexpected-end', text.length);
      return fail(inspection, 'json/bad-escape', at);
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

function toHexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : FAILED;
}

function inspectPoint(inspection: Inspection, at: number, point: number, next: number): number {
  if (isNoncharacter(point) && !inspection.rules.allowNoncharacters) {
    return fail(inspection, 'json/noncharacter', at);
  }
  return next;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function toPoint(high: number, low: number): number {
  return 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}
