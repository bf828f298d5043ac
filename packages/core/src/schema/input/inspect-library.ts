/** What a library's schema holds that its JSON Schema does not show. */
export interface LibraryInspection {
  /**
   * A promise, or an `async` function as check or transform. It cannot be waited for: one library takes its promise for a yes, and
   * another leaves the promise's rejection to the process.
   */
  readonly isAsynchronous: boolean;
  /** A part that takes a `File`, which no JSON value is. */
  readonly wantsFile: boolean;
  /** Sources of regular expressions with a flag that changes their meaning, which JSON Schema cannot say. */
  readonly flaggedPatterns: ReadonlySet<string>;
}

/** Parts of a schema that are looked at. */
const maxParts = 20_000;

/** Looks into the definitions of Zod and the nodes of ArkType; other libraries do not let themselves be seen. */
export function inspectLibrary(source: unknown): LibraryInspection {
  const waiting: unknown[] = [
    read(read(source, '_zod'), 'def'),
    read(read(source, 'internal'), 'references'),
  ];
  const seen = new Set<unknown>();
  const flaggedPatterns = new Set<string>();
  let isAsynchronous = zodTypeOf(source) === 'promise';
  let wantsFile = false;
  while (waiting.length > 0 && seen.size < maxParts) {
    const part = waiting.pop();
    if (!isHolder(part) || seen.has(part)) continue;
    seen.add(part);
    isAsynchronous ||= isAsyncFunction(part) || zodTypeOf(part) === 'promise';
    wantsFile ||= zodTypeOf(part) === 'file';
    const flagged = flaggedSource(part);
    if (flagged !== undefined) flaggedPatterns.add(flagged);
    waiting.push(...partsBelow(part));
  }
  return { isAsynchronous, wantsFile, flaggedPatterns };
}

function zodTypeOf(part: unknown): unknown {
  return read(read(read(part, '_zod'), 'def'), 'type');
}

function partsBelow(part: object): readonly unknown[] {
  if (Array.isArray(part)) return part;
  const zod = read(part, '_zod');
  if (zod !== undefined) return [read(zod, 'def'), read(zod, 'check'), read(zod, 'innerType')];
  const arkNode = [read(part, 'predicate'), read(part, 'morphs')];
  if (typeof part === 'function' || arkNode.some((below) => below !== undefined)) return arkNode;
  // A definition of Zod, or a shape in one. Class instances, dates and expressions hold no schemas.
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === Object.prototype || prototype === null
    ? Object.keys(part).map((name) => read(part, name))
    : [];
}

function flaggedSource(part: object): string | undefined {
  if (part instanceof RegExp) return /[ims]/.test(part.flags) ? part.source : undefined;
  const [rule, flags] = [read(part, 'rule'), read(part, 'flags')];
  return typeof rule === 'string' && typeof flags === 'string' && /[ims]/.test(flags) ? rule : undefined;
}

function isAsyncFunction(part: object): boolean {
  return typeof part === 'function' && Object.prototype.toString.call(part) === '[object AsyncFunction]';
}

function isHolder(part: unknown): part is object {
  return (typeof part === 'object' && part !== null) || typeof part === 'function';
}

function read(part: unknown, name: string): unknown {
  if (!isHolder(part)) return undefined;
  try {
    return Reflect.get(part, name);
  } catch {
    return undefined;
  }
}
