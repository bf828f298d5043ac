import type { CleanScan } from './scan-clean.ts';

/** Tells offsets in bytes and in UTF-16 units of one text apart; it only goes forward. */
export interface UnitCursor {
  /** The offset in units of one in bytes, not before the last one. */
  toUnits(at: number): number;
  /** Goes on by so many units, which take so many bytes. @returns The offset in bytes. */
  skip(units: number, bytes: number): number;
}

/** Makes a cursor at the beginning of the text of a scan. */
export function createUnitCursor(scan: CleanScan, text: string): UnitCursor {
  const { bytes, view } = scan.buffer;
  const isAscii = scan.length === text.length;
  let byteAt = 0;
  let unitAt = 0;
  const count = (end: number): void => {
    while (byteAt < end) {
      if (byteAt + 4 <= end && (view.getInt32(byteAt) & 0x8080_8080) === 0) {
        byteAt += 4;
        unitAt += 4;
      } else {
        unitAt += unitsOf(bytes[byteAt++] as number);
      }
    }
  };
  return {
    toUnits(at) {
      if (isAscii) byteAt = unitAt = at;
      else count(at);
      return unitAt;
    },
    skip(units, length) {
      unitAt += units;
      byteAt += length;
      return byteAt;
    },
  };
}

/** Units that begin with a byte of UTF-8: a sequence of four bytes is a pair. */
function unitsOf(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 0;
  return byte < 0xf0 ? 1 : 2;
}
