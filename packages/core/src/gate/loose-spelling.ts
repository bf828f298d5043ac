const PLAIN = /[A-Za-z0-9]/;

/**
 * The source of a pattern for a secret whose signs other than letters and digits may each be written as programs write them: as it is,
 * as an escape of JSON of any kind, or percent-encoded, with hexadecimal digits in either case. Which signs are escaped differs between
 * languages, so that no list of whole spellings has them all. No part repeats without a bound.
 */
export function looseSpelling(secret: string): string {
  return Array.from(secret, (sign) => (PLAIN.test(sign) ? sign : `(?:${waysToWrite(sign).join('|')})`)).join(
    '',
  );
}

function waysToWrite(sign: string): readonly string[] {
  const units = sign.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  const ways = [
    // A backslash is never as it is here, as two of them could be read as one, too: a run of them would be tried in every way.
    ...(sign === '\\' ? [] : [units.map((unit) => `\\u${unit}`).join('')]),
    // JSON within JSON doubles what begins an escape.
    units.map((unit) => `\\\\{1,2}u${inEitherCase(unit)}`).join(''),
    encodeBytes(sign),
  ];
  const inJson = JSON.stringify(sign).slice(1, -1);
  if (inJson.length === 2 && inJson.startsWith('\\')) ways.push(`\\\\${escapeSign(inJson.charAt(1))}`);
  if (sign === '/') ways.push('\\\\/');
  // What a form sends.
  if (sign === ' ') ways.push('\\+');
  return ways;
}

function encodeBytes(sign: string): string {
  const bytes = new TextEncoder().encode(sign);
  return Array.from(bytes, (byte) => `%${inEitherCase(byte.toString(16).padStart(2, '0'))}`).join('');
}

function inEitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escapeSign(sign: string): string {
  return PLAIN.test(sign) ? sign : `\\${sign}`;
}
