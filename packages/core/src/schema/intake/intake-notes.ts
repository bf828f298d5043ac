import type { IntakeNote } from '../schema.ts';

/** Notes that are kept, and characters of a pointer in one: a hostile schema may not turn into megabytes of notes. */
const maxNotes = 200;
const maxPointerLength = 1_000;

/** Collects notes. */
export interface IntakeNotes {
  readonly list: readonly IntakeNote[];
  add(kind: IntakeNote['kind'], pointer: string, detail: string): void;
}

/** An empty, bounded collection of notes. */
export function createIntakeNotes(): IntakeNotes {
  const list: IntakeNote[] = [];
  return {
    list,
    add(kind, pointer, detail) {
      if (list.length > maxNotes) return;
      if (list.length === maxNotes) list.push({ kind, pointer: '', detail: 'further notes are left out' });
      else list.push({ kind, pointer: shortened(pointer), detail });
    },
  };
}

function shortened(pointer: string): string {
  return pointer.length <= maxPointerLength ? pointer : `${pointer.slice(0, maxPointerLength)}…`;
}
