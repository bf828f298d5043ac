import { appendPointer, isJsonObject, type JsonValue } from '@toolgate/core';
import { foldCase } from './fold-case.ts';
import { isJsonArray, type WireReader } from './wire-reader.ts';

/** What the objects at one place of a wire are called by, as far as it leads to calls. */
export interface Spelling {
  readonly kind: 'object' | 'list' | 'either';
  /** What stands in the members that are looked into; `undefined` for the others that are known. */
  readonly members: ReadonlyMap<string, Spelling | undefined>;
  /** The names that lead to a call, as readers know them that do not care how they are written. */
  readonly folded: ReadonlySet<string>;
}

/**
 * Describes a place.
 *
 * @param leading - The members that lead to a call, or say something of one.
 * @param others - Members that are common there, for which nothing has to be worked out.
 */
export function spelling(
  kind: Spelling['kind'],
  leading: Readonly<Record<string, Spelling | undefined>>,
  others: readonly string[] = [],
): Spelling {
  const names = Object.keys(leading);
  const members = new Map([...Object.entries(leading), ...others.map((name) => [name, undefined] as const)]);
  return Object.freeze({ kind, members, folded: new Set(names.map(fold)) });
}

/**
 * Refuses an answer with a member that is nearly called like one which leads to a call. Many clients read `Tool_Calls`
 * like `tool_calls`, Go's and .NET's own readers among them, so that such a call would be run by them and seen by nobody here.
 * A list in the place of an object and an object in that of a list are refused as well: some languages look into them alike.
 * Only an empty list passes for an object: PHP writes an empty object like that, and no call is in it.
 *
 * @throws What `reader` throws.
 */
export function refuseOtherSpellings(
  reader: WireReader,
  value: JsonValue | undefined,
  place: Spelling,
): void {
  const fault = faultIn(value, place);
  if (fault === undefined) return;
  const pointer = fault.path.reduceRight<string>((outer, name) => appendPointer(outer, name), '');
  reader.fail(pointer, fault.problem);
}

interface Fault {
  readonly problem: string;
  /** From the inside out. */
  readonly path: (string | number)[];
}

function faultIn(value: JsonValue | undefined, place: Spelling): Fault | undefined {
  if (isJsonArray(value)) {
    if (place.kind === 'object' && value.length > 0) return IS_LIST();
    for (const [index, each] of value.entries()) {
      const fault = isJsonArray(each) ? IS_LIST() : faultInObject(each, place);
      if (fault !== undefined) return within(fault, index);
    }
    return undefined;
  }
  if (place.kind === 'list' && isJsonObject(value))
    return { problem: 'is an object in the place of a list', path: [] };
  return faultInObject(value, place);
}

function faultInObject(value: JsonValue | undefined, { folded, members }: Spelling): Fault | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const name in value) {
    const inner = members.get(name);
    if (inner !== undefined) {
      const fault = faultIn(value[name], inner);
      if (fault !== undefined) return within(fault, name);
    } else if (!members.has(name) && folded.has(fold(name)))
      return { problem: 'is another spelling of a known member', path: [name] };
  }
  return undefined;
}

const IS_LIST = (): Fault => ({ problem: 'is a list in the place of an object', path: [] });

function within(fault: Fault, name: string | number): Fault {
  fault.path.push(name);
  return fault;
}

/** A name without case and lines. */
function fold(name: string): string {
  return foldCase(name).replaceAll('_', '');
}
