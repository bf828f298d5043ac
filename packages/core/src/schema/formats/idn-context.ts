// RFC 5892, appendix A: code points that are permitted only beside certain others.
const zeroWidthNonJoiner = 0x200c;
const zeroWidthJoiner = 0x200d;
const middleDot = 0xb7;
const keraia = 0x375;
const geresh = 0x5f3;
const gershayim = 0x5f4;
const katakanaMiddleDot = 0x30fb;

const greek = /^\p{Script=Greek}$/u;
const hebrew = /^\p{Script=Hebrew}$/u;
const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]$/u;
const mark = /^\p{Mn}$/u;
// Letters of cursive scripts. Those which never join to the left are listed for Arabic, where labels have them.
const cursive =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}]$/u;
const neverJoinsLeft =
  /^[\u0622-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06C0-\u06CB\u06CF\u06D2-\u06D5]$/u;

// Canonical combining class 9 (Virama), which JavaScript's property escapes do not offer.
const viramas: ReadonlySet<number> = new Set([
  0x94d, 0x9cd, 0xa4d, 0xacd, 0xb4d, 0xbcd, 0xc4d, 0xccd, 0xd3b, 0xd3c, 0xd4d, 0xdca, 0xe3a, 0xeba, 0xf84,
  0x1039, 0x103a, 0x1714, 0x1715, 0x1734, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bab, 0x1bf2, 0x1bf3, 0x2d7f,
  0xa806, 0xa82c, 0xa8c4, 0xa953, 0xa9c0, 0xaaf6, 0xabed, 0x10a3f, 0x11046, 0x11070, 0x1107f, 0x110b9,
  0x11133, 0x11134, 0x111c0, 0x11235, 0x112ea, 0x1134d, 0x11442, 0x114c2, 0x115bf, 0x1163f, 0x116b6, 0x1172b,
  0x11839, 0x1193d, 0x1193e, 0x119e0, 0x11a34, 0x11a47, 0x11a99, 0x11c3f, 0x11d44, 0x11d45, 0x11d97, 0x11f41,
  0x11f42,
]);

/** Whether a code point needs {@link followsContextRule}. */
export function isContextual(codePoint: number): boolean {
  return (
    codePoint === zeroWidthNonJoiner ||
    codePoint === zeroWidthJoiner ||
    codePoint === middleDot ||
    codePoint === keraia ||
    codePoint === geresh ||
    codePoint === gershayim ||
    codePoint === katakanaMiddleDot ||
    isArabicIndicDigit(codePoint) ||
    isExtendedArabicIndicDigit(codePoint)
  );
}

/** Whether the code point at `index` stands where RFC 5892, appendix A, allows it. */
export function followsContextRule(label: readonly number[], index: number): boolean {
  const before = label[index - 1];
  const after = label[index + 1];
  switch (label[index] ?? -1) {
    case zeroWidthJoiner:
      return before !== undefined && viramas.has(before);
    case zeroWidthNonJoiner:
      return before !== undefined && (viramas.has(before) || isBetweenJoining(label, index));
    case middleDot:
      return before === 0x6c && after === 0x6c;
    case keraia:
      return is(greek, after);
    case geresh:
    case gershayim:
      return is(hebrew, before);
    case katakanaMiddleDot:
      return label.some((codePoint) => codePoint !== katakanaMiddleDot && is(kana, codePoint));
    default:
      // Two sets of digits that look alike may not be mixed.
      return !(label.some(isArabicIndicDigit) && label.some(isExtendedArabicIndicDigit));
  }
}

/** A letter that joins to the left, marks, the non-joiner, marks, a letter that joins to the right. */
function isBetweenJoining(label: readonly number[], index: number): boolean {
  let left = index - 1;
  while (left >= 0 && is(mark, label[left])) left -= 1;
  let right = index + 1;
  while (right < label.length && is(mark, label[right])) right += 1;
  return is(cursive, label[left]) && !is(neverJoinsLeft, label[left]) && is(cursive, label[right]);
}

function is(pattern: RegExp, codePoint: number | undefined): boolean {
  return codePoint !== undefined && pattern.test(String.fromCodePoint(codePoint));
}

function isArabicIndicDigit(codePoint: number): boolean {
  return codePoint >= 0x660 && codePoint <= 0x669;
}

function isExtendedArabicIndicDigit(codePoint: number): boolean {
  return codePoint >= 0x6f0 && codePoint <= 0x6f9;
}
