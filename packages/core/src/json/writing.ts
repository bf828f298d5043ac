import { JsonError } from './json-error.ts';
import type { JsonErrorCode } from './json-error-code.ts';
import { joinPointer } from './json-pointer.ts';
import type { WriteRules } from './write-rules.ts';

/** One walk over a value that is to be written. */
export interface Writing {
  readonly rules: WriteRules;
  /** Bytes that may still come, counting the least that each value takes. */
  budget: number;
  /** Open arrays and objects. */
  depth: number;
  /** The open arrays and objects, outermost first; what lies beyond `depth` is left over. */
  readonly holders: object[];
  /** For each of them the name or index that is being read. */
  readonly path: (string | number)[];
  /** The error that this walk threw itself, as opposed to one that came out of the value. */
  failure: JsonError | undefined;
  /** Halves of surrogate pairs that were replaced. */
  mended: number;
}

export function startWriting(rules: WriteRules): Writing {
  return { rules, budget: rules.maxBytes, depth: 0, holders: [], path: [], failure: undefined, mended: 0 };
}

/** Opens an array or object. */
export function enter(writing: Writing, holder: object): void {
  writing.holders[writing.depth] = holder;
  if (writing.depth >= writing.rules.maxDepth) {
    failWriting(writing, 'json/too-deep', `at most ${writing.rules.maxDepth}`);
  }
  writing.path[writing.depth] = '';
  writing.depth++;
}

/** Closes the innermost one. */
export function leave(writing: Writing): void {
  writing.depth--;
}

/**
 * Throws the error of the place reached. A value that contains itself runs into a bound sooner or later, so that is when
 * it is looked for.
 */
export function failWriting(writing: Writing, code: JsonErrorCode, detail?: string): never {
  const { path, depth } = writing;
  const again = code === 'json/too-deep' || code === 'json/too-large' ? findCycle(writing) : undefined;
  writing.failure =
    again === undefined
      ? new JsonError(code, { pointer: joinPointer(path.slice(0, depth)) }, detail)
      : new JsonError('json/cycle', { pointer: joinPointer(path.slice(0, again)) });
  throw writing.failure;
}

/** How many steps lead to the first open container that is also one of its own ancestors. */
function findCycle({ holders, depth }: Writing): number | undefined {
  const seen = new Set<object>();
  for (const [index, holder] of holders.slice(0, depth + 1).entries()) {
    if (seen.has(holder)) return index;
    seen.add(holder);
  }
  return undefined;
}

/** The error to throw for one that was caught around the walk. */
export function toWriteError(writing: Writing, error: unknown): unknown {
  // A value may throw `undefined`, which is no failure of ours.
  if (writing.failure !== undefined && error === writing.failure) return error;
  const pointer = joinPointer(writing.path.slice(0, writing.depth));
  return new JsonError('json/getter-failed', { pointer }, undefined, { cause: error });
}
