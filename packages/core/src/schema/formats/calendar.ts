// RFC 3339, section 5.6: the Internet profile of ISO 8601. The regular expressions here are anchored and fixed in
// shape; a test proves each of them linear.

/** The shape of a date. */
export const datePattern: RegExp = /^(\d{4})-(\d\d)-(\d\d)$/;
/** The shape of a time with its offset. */
export const timePattern: RegExp = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const monthDays: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `full-date`, on a day that exists in the proleptic Gregorian calendar. */
export function isDate(text: string): boolean {
  const parts = datePattern.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const days = month === 2 && isLeapYear(year) ? 29 : (monthDays[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** `full-time`: with an offset; second 60 only in the last minute of a day in UTC, where leap seconds are. */
export function isTime(text: string): boolean {
  const parts = timePattern.exec(text);
  if (parts === null) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? -1 : 1);
  const minuteOfDay = (hour * 60 + minute - offset + 2 * 1_440) % 1_440;
  return minuteOfDay === 1_439;
}

/** `date-time`: a date, `T`, and a time. */
export function isDateTime(text: string): boolean {
  return (text[10] === 'T' || text[10] === 't') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
