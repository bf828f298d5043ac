// RFC 3339, appendix A: units may be left out at both ends, never in the middle; weeks stand alone.
const time = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`;
const date = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`;
/** A whole duration. */
export const durationPattern: RegExp = new RegExp(String.raw`^P(?:\d+W|${time}|${date}(?:${time})?)$`);

/** `duration`: `P4DT12H30M5S`, `P2W`. No fractions, no signs. */
export function isDuration(text: string): boolean {
  return durationPattern.test(text);
}
