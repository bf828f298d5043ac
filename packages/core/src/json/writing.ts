import { JsonError } from './json-error.ts';
import type { JsonErrorCode } from './json-error-code.ts';
import { joinPointer } from './json-pointer.ts';
import type { WriteRules } from './write-rules.ts';

/** An array or object whose content is being read. */
export interface OpenHolder {
  readonly holder: object;
  /** What holds it. */
  readonly outer: OpenHolder | undefined;
  /** The name or index that is being read. */
  at: string | number;
}

/** One walk over a value that is to be written. */
export interface Writing {
  readonly rules: WriteRules;
  /** Bytes that may still come, counting the least that each value takes. */
  budget: number;
  /** Open arrays and objects. */
  depth: number;
  /** The innermost of them. */
  open: OpenHolder | undefined;
  /** The error that this walk threw itself, as opposed to one that came out of the value. */
  failure: JsonError | undefined;
  /** Halves of surrogate pairs that were replaced. */
  mended: number;
}

export function startWriting(rules: WriteRules): Writing {
  return { rules, budget: rules.maxBytes, depth: 0, open: undefined, failure: undefined, mended: 0 };
}

/** Opens an array or object. */
export function enter(writing: Writing, holder: object): OpenHolder {
  const { open: outer, rules } = writing;
  const open: OpenHolder = { holder, outer, at: '' };
  if (writing.depth >= rules.maxDepth)
    failWriting(writing, 'json/too-deep', `at most ${rules.maxDepth}`, holder);
  writing.open = open;
  writing.depth++;
  return open;
}

/** Closes the innermost one. */
export function leave(writing: Writing, open: OpenHolder): void {
  writing.open = open.outer;
  writing.depth--;
}

/**
 * Throws the error of the place reached. A value that contains itself runs into a bound sooner or later, so that is when
 * it is looked for.
 *
 * @param refused - What could not be opened, for the look.
 */
export function failWriting(writing: Writing, code: JsonErrorCode, detail?: string, refused?: object): never {
  const again =
    code === 'json/too-deep' || code === 'json/too-large' ? findCycle(writing, refused) : undefined;
  const path = pathOf(writing);
  writing.failure =
    again === undefined
      ? new JsonError(code, { pointer: joinPointer(path) }, detail)
      : new JsonError('json/cycle', { pointer: joinPointer(path.slice(0, again)) });
  throw writing.failure;
}

/** How many steps lead to the first open container that is also one of its own ancestors. */
function findCycle(writing: Writing, refused: object | undefined): number | undefined {
  const seen = new Set<object | undefined>();
  const holders = openHolders(writing).map(({ holder }) => holder);
  for (const [index, holder] of [...holders, refused].entries()) {
    if (seen.has(holder)) return index;
    seen.add(holder);
  }
  return undefined;
}

function pathOf(writing: Writing): readonly (string | number)[] {
  return openHolders(writing).map(({ at }) => at);
}

/** Outermost first. */
function openHolders(writing: Writing): readonly OpenHolder[] {
  const holders: OpenHolder[] = [];
  for (let { open } = writing; open !== undefined; open = open.outer) holders.push(open);
  return holders.toReversed();
}

/** The error to throw for one that was caught around the walk. */
export function toWriteError(writing: Writing, error: unknown): unknown {
  // A value may throw `undefined`, which is no failure of ours.
  if (writing.failure !== undefined && error === writing.failure) return error;
  return new JsonError('json/getter-failed', { pointer: joinPointer(pathOf(writing)) }, undefined, {
    cause: error,
  });
}
