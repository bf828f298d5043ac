import type { JsonErrorCode } from './json-error-code.ts';
import type { JsonFault } from './json-fault.ts';
import type { MemberNames } from './member-names.ts';
import type { ReadRules } from './read-rules.ts';

/** One look at one text by the strict grammar. Steps return the next offset, or {@link FAILED} with `fault` set. */
export interface Inspection {
  readonly text: string;
  readonly rules: ReadRules;
  /** The open containers, outermost first: the names of an object, or `undefined` for an array. */
  readonly open: (MemberNames | undefined)[];
  /** Escapes met so far, so that a name without any need not be searched for one. */
  escapes: number;
  fault: JsonFault | undefined;
}

/** Returned instead of an offset once `fault` is set. */
export const FAILED = -1;

/** Notes the fault and returns {@link FAILED}. */
export function fail(
  inspection: Inspection,
  code: JsonErrorCode,
  offset: number,
  expected?: string,
): typeof FAILED {
  inspection.fault = expected === undefined ? { code, offset } : { code, offset, expected };
  return FAILED;
}

/** Fails with `wrong` at the offset, or with `json/unexpected-end` when the text is over there. */
export function failOrEnd(
  inspection: Inspection,
  wrong: JsonErrorCode,
  offset: number,
  expected: string,
): typeof FAILED {
  const over = offset >= inspection.text.length;
  return fail(
    inspection,
    over ? 'json/unexpected-end' : wrong,
    over ? inspection.text.length : offset,
    expected,
  );
}
