import { exceedsBytes } from './exceeds-bytes.ts';

/** What a text of the protocol must be besides well-formed (no lone surrogates) and within its bound. */
export interface TextRule {
  readonly maxBytes: number;
  /** Whether something must be left after trimming. */
  readonly required?: boolean;
  /** Whether white space around it is refused. */
  readonly exact?: boolean;
  /** Whether U+0000 is refused. */
  readonly noNul?: boolean;
}

/** What is wrong with a text, as the end of a sentence and without any of it; `undefined` for nothing. */
export function textFault(value: unknown, rule: TextRule): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // The length comes first: nothing else may look at a text that has none of its bounds.
  if (exceedsBytes(value, rule.maxBytes)) return `may have at most ${rule.maxBytes} bytes`;
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  const trimmed = rule.required === true || rule.exact === true ? value.trim() : value;
  if (rule.required === true && trimmed === '') return 'must not be blank';
  if (rule.exact === true && trimmed !== value) return 'must not begin or end with white space';
  if (rule.noNul === true && value.includes('\0')) return 'must not hold U+0000';
  return undefined;
}
