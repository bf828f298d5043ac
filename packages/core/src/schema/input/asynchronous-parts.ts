/** Parts of a schema that are looked at. */
const maxParts = 20_000;

/**
 * Whether a library's schema holds an `async` function as check or transform, where that can be seen: in the
 * definitions of Zod and in the nodes of ArkType. Such a check cannot be waited for; one library takes its promise
 * for a yes, and another leaves the promise's rejection to the process.
 */
export function hasAsynchronousPart(source: unknown): boolean {
  const waiting: unknown[] = [
    read(read(source, '_zod'), 'def'),
    read(read(source, 'internal'), 'references'),
  ];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && seen.size < maxParts) {
    const part = waiting.pop();
    if (((typeof part !== 'object' || part === null) && typeof part !== 'function') || seen.has(part))
      continue;
    seen.add(part);
    if (isAsyncFunction(part)) return true;
    waiting.push(...partsBelow(part));
  }
  return false;
}

function partsBelow(part: object): readonly unknown[] {
  if (Array.isArray(part)) return part;
  const zod = read(part, '_zod');
  if (zod !== undefined) return [read(zod, 'def'), read(zod, 'check')];
  const arkNode = [read(part, 'predicate'), read(part, 'morphs')];
  if (arkNode.some((below) => below !== undefined)) return arkNode;
  if (typeof part === 'function') return [];
  // A definition of Zod, or a shape in one. Class instances, dates and expressions hold no schemas.
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === Object.prototype || prototype === null
    ? Object.keys(part).map((name) => read(part, name))
    : [];
}

function isAsyncFunction(part: unknown): boolean {
  return typeof part === 'function' && Object.prototype.toString.call(part) === '[object AsyncFunction]';
}

function read(part: unknown, name: string): unknown {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null) return undefined;
  try {
    return Reflect.get(part, name);
  } catch {
    return undefined;
  }
}
