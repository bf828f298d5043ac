import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { deepEqual } from '../check/deep-equal.ts';
import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { member } from '../member.ts';
import { subschemas } from '../subschemas.ts';

/** How far a time may be from now and still be one that was read and not written. */
const NEAR_MS = 36 * 60 * 60 * 1_000;
/** The longest text that is looked at for a time. */
const MAX_TIME = 64;
/** Looks at the clock, which may stand still. */
const MAX_LOOKS = 100_000;

/** Whether a schema says a default anywhere. */
export function hasDefaults(json: JsonObject): boolean {
  const waiting: JsonObject[] = [json];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (Object.hasOwn(schema, 'default')) return true;
    for (const below of subschemas(schema, '2020-12')) {
      if (typeof below.json !== 'boolean') waiting.push(below.json);
    }
  }
  return false;
}

/** Waits until the clock of the system has gone on, so that what is read from it is something else; a thousandth of a second. */
export function awaitNextMoment(since: number): void {
  for (let looks = 0; looks < MAX_LOOKS && Date.now() === since; looks += 1);
}

/**
 * Takes out defaults that a function makes anew each time: an id, the time. A library says the one it made just now, and that would
 * be filled in for every call from then on. Its own check makes a new one where there is none.
 *
 * @param json - 2020-12; it is changed.
 * @param again - The same schema, said a second time.
 * @param now - Milliseconds; a time of this very day is one that was read, in case both were made within one moment.
 */
export function dropMadeDefaults(json: OwnedSchema, again: JsonObject, now: number): void {
  const waiting: (readonly [OwnedSchema, JsonObject | undefined])[] = [[json, again]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [schema, other] = pair;
    const value = member(schema, 'default');
    const second = other === undefined ? undefined : member(other, 'default');
    if (value !== undefined && (second === undefined || !deepEqual(value, second) || isOfNow(value, now))) {
      delete schema['default'];
    }
    const others = new Map(
      other === undefined ? [] : subschemas(other, '2020-12').map((part) => [part.path, part.json]),
    );
    for (const { path, json: below } of subschemas(schema, '2020-12')) {
      const counterpart = others.get(path);
      if (typeof below !== 'boolean')
        waiting.push([ownedPart(below), typeof counterpart === 'object' ? counterpart : undefined]);
    }
  }
}

function isOfNow(value: JsonValue, now: number): boolean {
  if (typeof value === 'number') return isNear(value, now) || isNear(value * 1_000, now);
  if (typeof value === 'string')
    return value.length <= MAX_TIME && /\d/.test(value) && isNear(Date.parse(value), now);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part: JsonValue) => isOfNow(part, now));
}

function isNear(time: number, now: number): boolean {
  return Math.abs(time - now) < NEAR_MS;
}
