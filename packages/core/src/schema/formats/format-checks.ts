import { isDate, isDateTime, isTime } from './calendar.ts';
import { isDuration } from './duration.ts';
import { isEmail } from './email.ts';
import { isHostname } from './hostname.ts';
import { isIpv4, isIpv6 } from './ip-address.ts';
import { isJsonPointer } from './json-pointer-text.ts';
import { isUri } from './uri.ts';
import { isUuid } from './uuid.ts';

/**
 * The formats that are asserted, by name; every other `format` is an annotation and noted on intake. Each check
 * takes time linear in its text.
 *
 * @see JSON Schema Validation 2020-12, section 7.3.
 */
export const formatChecks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date-time', isDateTime],
  ['date', isDate],
  ['time', isTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['json-pointer', isJsonPointer],
  ['uri', isUri],
  ['uuid', isUuid],
]);
