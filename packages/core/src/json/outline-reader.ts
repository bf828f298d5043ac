import type { JsonObject, JsonValue } from './json-value.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { type JsonMemberPlace, type Outline, outlineOf } from './outline.ts';
import { type ReadJsonOptions, toReadRules } from './read-rules.ts';
import { toScan } from './screen.ts';

/** An object as `readJson` reads it, and where its members are in the text. */
export interface OutlinedJson {
  readonly value: JsonObject;
  /** In the order of the text. */
  readonly members: readonly JsonMemberPlace[];
  /** The object itself, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Settings of {@link createOutlineReader}. */
export interface OutlineReaderOptions extends ReadJsonOptions {
  /**
   * Members of the outermost object whose values come again and again in the same words. Such a value is read once; it is
   * deeply frozen and the same value each time.
   */
  readonly remember?: readonly string[];
  /** UTF-16 units of all texts that are remembered, together. Default 1,048,576. */
  readonly maxRemembered?: number;
}

/** Reads objects whose text is to be changed in places. */
export interface OutlineReader {
  /** @returns `undefined` where `readJson` has to be asked: for whatever is unusual, or wrong. */
  read(text: string): OutlinedJson | undefined;
}

/** Makes a reader with bounds and permissions of its own. @throws {@link JsonError} `json/options-invalid`. */
export function createOutlineReader(options: OutlineReaderOptions = {}): OutlineReader {
  const { maxBytes, maxDepth } = toReadRules(options);
  const values = createKnownValues(new Set(options.remember), options.maxRemembered ?? 1_048_576);
  return Object.freeze({
    read(text: string) {
      if (text.length * 3 > maxBytes) return undefined;
      const scan = toScan(text);
      const outline = outlineOf(scan, text, maxDepth, values);
      if (outline === undefined) return undefined;
      const { end, known, members, start } = outline;
      const value = parse(known.length === 0 ? text : withoutKnown(text, outline));
      if (value === undefined) return undefined;
      for (const member of known) value[member.place.name] = member.value;
      if (known.length < members.length) remember(values, outline, value, text);
      return { value, members, start, end };
    },
  });
}

/** The grammar of everything that is not known is judged here. */
function parse(text: string): Record<string, JsonValue> | undefined {
  try {
    return JSON.parse(text) as Record<string, JsonValue>;
  } catch {
    return undefined;
  }
}

/** The text with `null` in the place of each known value. */
function withoutKnown(text: string, { known }: Outline): string {
  let rest = '';
  let at = 0;
  for (const { place } of known) {
    rest += `${text.slice(at, place.value.start)}null`;
    at = place.value.end;
  }
  return rest + text.slice(at);
}

function remember(values: KnownValues, { known, members }: Outline, object: JsonObject, text: string): void {
  for (const { name, value: place } of members) {
    const value = object[name];
    if (!values.keeps(name) || typeof value !== 'object' || value === null) continue;
    if (known.some((member) => member.place.name === name)) continue;
    values.add(name, text.slice(place.start, place.end), value);
  }
}
