/** Which methods the addresses of a server take. */
export interface KnownPaths {
  /** @param pattern - With `:name` for one segment and a last `*` for the rest. */
  add(methods: readonly string[], pattern: string): void;
  /** The methods of an address, sorted; none for one that is not known. */
  methodsOf(path: string): readonly string[];
}

interface Entry {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Makes the list of what a server knows. */
export function createKnownPaths(): KnownPaths {
  const entries = new Map<string, Entry>();
  return Object.freeze({
    add(methods: readonly string[], pattern: string) {
      const entry = entries.get(pattern) ?? { segments: pattern.split('/'), methods: new Set() };
      for (const method of methods) entry.methods.add(method);
      entries.set(pattern, entry);
    },
    methodsOf(path: string) {
      const segments = path.split('/');
      const found = new Set<string>();
      for (const entry of entries.values()) {
        if (fits(entry.segments, segments)) for (const method of entry.methods) found.add(method);
      }
      return [...found].sort();
    },
  });
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  if (open ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, at) => {
    if (part === '*' && at === pattern.length - 1) return true;
    return part.startsWith(':') ? segments[at] !== '' : part === segments[at];
  });
}
