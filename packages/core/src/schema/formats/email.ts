import { isHostname } from './hostname.ts';
import { isIpv4, isIpv6 } from './ip-address.ts';

/** `Dot-string` of RFC 5321. */
export const dotString: RegExp = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** `Quoted-string` of RFC 5321. */
export const quotedString: RegExp = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;

// RFC 5321, section 4.5.3.1: octets of a local part and, less the angle brackets, of a path.
const maxLocalLength = 64;
const maxLength = 254;

/** `email` as `Mailbox` of RFC 5321, section 4.1.2: ASCII, quoted local parts and address literals included. */
export function isEmail(text: string): boolean {
  if (text.length > maxLength) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > maxLocalLength) return false;
  const local = text.slice(0, at);
  return (dotString.test(local) || quotedString.test(local)) && isMailDomain(text.slice(at + 1));
}

function isMailDomain(text: string): boolean {
  if (!text.startsWith('[') || !text.endsWith(']')) return isHostname(text);
  const literal = text.slice(1, -1);
  return /^ipv6:/i.test(literal) ? isIpv6(literal.slice(5)) : isIpv4(literal);
}
