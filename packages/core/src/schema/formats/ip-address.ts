const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** A whole IPv4 address. */
export const ipv4Pattern: RegExp = new RegExp(String.raw`^${octet}(?:\.${octet}){3}$`);
const groupPattern = /^[0-9a-fA-F]{1,4}$/;

/** The longest IPv6 text: six groups of four digits and an IPv4 address. */
const maxIpv6Length = 45;

/** `ipv4` as `dotted-quad` of RFC 2673, section 3.2: four decimal octets without leading zeros. */
export function isIpv4(text: string): boolean {
  return text.length <= 15 && ipv4Pattern.test(text);
}

/** `ipv6` of RFC 4291, section 2.2: no zone, no prefix length, no brackets. */
export function isIpv6(text: string): boolean {
  if (text.length > maxIpv6Length) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const [head, tail] = halves;
  const before = countGroups(head ?? '', tail === undefined);
  if (tail === undefined) return before === 8;
  const after = countGroups(tail, true);
  // "::" stands for at least one group.
  return before !== undefined && after !== undefined && before + after <= 7;
}

/** Groups of 16 bits in one side of `::`; an IPv4 address at the very end counts as two. */
function countGroups(text: string, isEnd: boolean): number | undefined {
  if (text === '') return 0;
  const groups = text.split(':');
  const last = groups.at(-1) ?? '';
  const hasIpv4 = isEnd && last.includes('.');
  if (hasIpv4 && !isIpv4(last)) return undefined;
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => groupPattern.test(group))) return undefined;
  return plain.length + (hasIpv4 ? 2 : 0);
}
