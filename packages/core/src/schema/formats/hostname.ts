import { isIdnLabel } from './idn-label.ts';
import { decodePunycode } from './punycode.ts';

/** One label, of 1 to 63 characters. */
export const labelPattern: RegExp = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** RFC 1035, section 2.3.4: 255 octets on the wire are 253 characters of text. */
const maxLength = 253;

/**
 * `hostname` of RFC 1123, section 2.1, without a final dot. A label that begins with `xn--` must be the encoding of
 * an internationalised label (RFC 5890, section 2.3.2.1).
 */
export function isHostname(text: string): boolean {
  return text.length <= maxLength && text.split('.').every(isLabel);
}

function isLabel(label: string): boolean {
  if (!labelPattern.test(label)) return false;
  if (label.slice(0, 4).toLowerCase() !== 'xn--') return true;
  const decoded = decodePunycode(label.slice(4).toLowerCase());
  return decoded !== undefined && isIdnLabel(decoded);
}
