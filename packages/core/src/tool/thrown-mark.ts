/** The kinds of error that an author throws on purpose, and the one that a guard throws. */
export type ThrownKind = 'tool-error' | 'failure' | 'call-error' | 'permanent' | 'authorization';

// Registered, so that a second installed copy recognises it. Data that came from outside cannot carry a symbol:
// an error that only has the right `name` publishes nothing.
const MARK = Symbol.for('@toolgate/core/thrown');

/** Marks an error, invisibly, as one that was thrown on purpose. */
export function markThrown(error: Error, kind: ThrownKind): void {
  Object.defineProperty(error, MARK, { value: kind });
}

/** The mark of an error; `undefined` for everything else. May throw on a hostile proxy. */
export function thrownKind(value: object): ThrownKind | undefined {
  const kind: unknown = Reflect.get(value, MARK);
  return kind === 'tool-error' ||
    kind === 'failure' ||
    kind === 'call-error' ||
    kind === 'permanent' ||
    kind === 'authorization'
    ? kind
    : undefined;
}

/** Whether a value is an error with this mark. Never throws. */
export function isThrown(value: unknown, kind: ThrownKind): boolean {
  try {
    return value instanceof Error && thrownKind(value) === kind;
  } catch {
    return false;
  }
}
