import { appendPointer, type JsonObject, type JsonValue } from '@toolgate/core';
import { isObject } from '../value-shape.ts';

/** What is wrong with the headers that a tool asks for. */
export interface HeaderFault {
  /** One sentence without foreign text. */
  readonly message: string;
  /** Where in the schema (RFC 6901). */
  readonly pointer: string;
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose values have names for members. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  '$defs',
  'definitions',
]);

interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  /** Whether a chain of `properties` leads here from the root, and is not empty. */
  readonly isParameter: boolean;
  readonly isRoot: boolean;
}

/**
 * The first fault of the parameters that a tool wants in headers, too (MCP 2026-07-28, streamable HTTP, "Schema
 * Extension"): the keyword stands at a text, an integer or a boolean that `properties` alone lead to, with a name that is
 * a token and occurs once, whatever its case. A client over HTTP has to leave a tool out that breaks this. Takes time
 * linear in the schema.
 */
export function headerFault(schema: JsonValue | undefined): HeaderFault | undefined {
  if (!isObject(schema)) return undefined;
  const places: Place[] = [{ schema, pointer: '', isParameter: false, isRoot: true }];
  const names = new Set<string>();
  for (const place of places) {
    const message = Object.hasOwn(place.schema, KEYWORD) ? faultAt(place, names) : undefined;
    if (message !== undefined) return { message, pointer: appendPointer(place.pointer, KEYWORD) };
    for (const child of childrenOf(place)) places.push(child);
  }
  return undefined;
}

function faultAt({ schema, isParameter }: Place, names: Set<string>): string | undefined {
  if (!isParameter) return 'A header can be asked for at a parameter alone, which properties lead to.';
  const name = schema[KEYWORD];
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'The name of a header is not one.';
  if (!TYPES.has(schema['type'])) return 'A header can hold a string, an integer or a boolean alone.';
  const lower = name.toLowerCase();
  if (names.has(lower)) return 'Two parameters are wanted in one header.';
  names.add(lower);
  return undefined;
}

function* childrenOf({ schema, pointer, isParameter, isRoot }: Place): Generator<Place, void, void> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null || DATA.has(keyword)) continue;
    const at = appendPointer(pointer, keyword);
    const reached = keyword === 'properties' && (isParameter || isRoot);
    // Of a keyword that is not known, what is below may be a schema that something refers to.
    const members: readonly (readonly [string, JsonValue])[] | undefined =
      MAPS.has(keyword) || Array.isArray(value) ? Object.entries(value) : undefined;
    if (members === undefined) {
      yield { schema: value as JsonObject, pointer: at, isParameter: false, isRoot: false };
      continue;
    }
    for (const [name, member] of members) {
      if (isObject(member))
        yield { schema: member, pointer: appendPointer(at, name), isParameter: reached, isRoot: false };
    }
  }
}
