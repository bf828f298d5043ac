/** A shorter secret has spellings that are found by chance. */
const MIN_LENGTH = 12;

/**
 * How a secret is written within any base64 of a text that holds it: in each of three ways, by how many bytes stand before it,
 * without the characters that hold bits of its neighbours. With both alphabets (RFC 4648), with slashes escaped, and percent-encoded.
 */
export function base64Spellings(secret: string): readonly string[] {
  if (secret.length < MIN_LENGTH) return [];
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte));
  return [0, 1, 2].flatMap((before) => {
    const all = btoa('\0'.repeat(before) + bytes.join(''));
    const own = all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    const forUrls = own.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([own, forUrls, own.replaceAll('/', '\\/'), encodeURIComponent(own)])];
  });
}
