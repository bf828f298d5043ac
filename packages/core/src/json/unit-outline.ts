import type { MemberOutline, Outline } from './outline.ts';
import type { CleanScan } from './scan-clean.ts';

/** An outline in UTF-16 units instead of bytes. */
export function inUnits({ buffer }: CleanScan, { end, hasKnown, members, start }: Outline): Outline {
  const { bytes, view } = buffer;
  let byteAt = 0;
  let unitAt = 0;
  // It only goes forward, so each byte is looked at once.
  const toUnits = (offset: number): number => {
    while (byteAt < offset) {
      if (byteAt + 4 <= offset && (view.getInt32(byteAt) & 0x8080_8080) === 0) {
        byteAt += 4;
        unitAt += 4;
      } else {
        unitAt += unitsOf(bytes[byteAt++] as number);
      }
    }
    return unitAt;
  };
  const unitStart = toUnits(start);
  const moved = members.map((member): MemberOutline => {
    const nameStart = toUnits(member.nameStart);
    const nameEnd = toUnits(member.nameEnd);
    const valueStart = toUnits(member.start);
    return { nameStart, nameEnd, start: valueStart, end: toUnits(member.end), known: member.known };
  });
  return { start: unitStart, end: toUnits(end), members: moved, hasKnown };
}

/** Units that begin with a byte of UTF-8: a sequence of four bytes is a pair. */
function unitsOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
}
