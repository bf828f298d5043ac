/** What the asserted formats ask for, with an example where the shape is not obvious. */
const words: ReadonlyMap<string, string> = new Map([
  ['date-time', 'a date and time such as 2026-01-31T12:00:00Z'],
  ['date', 'a date such as 2026-01-31'],
  ['time', 'a time such as 12:00:00Z'],
  ['duration', 'a duration such as P1DT2H'],
  ['email', 'an e-mail address'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['json-pointer', 'a JSON Pointer such as /a/0'],
  ['uri', 'an absolute URI such as https://example.com/a%20b, all but ASCII percent-encoded'],
  ['uuid', 'a UUID'],
]);

/** What a format asks for, in words. */
export function formatWords(format: string): string {
  return words.get(format) ?? `text of the format ${format.slice(0, 40)}`;
}
