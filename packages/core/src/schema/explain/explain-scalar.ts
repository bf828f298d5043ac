import type { JsonObject } from '../../json/json-value.ts';
import { codePoints } from '../check/code-points.ts';
import { multipleOf } from '../check/multiple-of.ts';
import { numberMember, stringMember } from '../member.ts';
import { type Explanation, report, shown } from './explanation.ts';
import { formatWords } from './format-words.ts';
import { count } from './show-value.ts';

/** Reports which keywords about numbers refuse `value`. */
export function explainNumber(
  json: JsonObject,
  value: number,
  pointer: string,
  explanation: Explanation,
): void {
  const actual = shown(explanation, value);
  const compare = (keyword: string, words: string, passes: (limit: number) => boolean): void => {
    const limit = numberMember(json, keyword);
    if (limit === undefined || passes(limit)) return;
    report(explanation, pointer, { keyword, expected: `${words} ${limit}`, actual });
  };
  compare('minimum', 'at least', (limit) => value >= limit);
  compare('maximum', 'at most', (limit) => value <= limit);
  compare('exclusiveMinimum', 'more than', (limit) => value > limit);
  compare('exclusiveMaximum', 'less than', (limit) => value < limit);
  compare('multipleOf', 'a multiple of', (divisor) => multipleOf(divisor)(value));
}

/** Reports which keywords about strings refuse `value`. */
export function explainString(
  json: JsonObject,
  value: string,
  pointer: string,
  explanation: Explanation,
): void {
  const { builder } = explanation;
  const minimum = numberMember(json, 'minLength');
  const maximum = numberMember(json, 'maxLength');
  if (minimum !== undefined || maximum !== undefined) {
    const length = codePoints(value);
    const actual = String(length);
    if (minimum !== undefined && length < minimum) {
      report(explanation, pointer, {
        keyword: 'minLength',
        verb: 'have',
        expected: `at least ${count(minimum, 'character')}`,
        actual,
      });
    }
    if (maximum !== undefined && length > maximum) {
      report(explanation, pointer, {
        keyword: 'maxLength',
        verb: 'have',
        expected: `at most ${count(maximum, 'character')}`,
        actual,
      });
    }
  }
  const pattern = stringMember(json, 'pattern');
  if (pattern !== undefined && builder.patterns.get(pattern)?.test(value) === false) {
    const source = pattern.length > 120 ? `${pattern.slice(0, 119)}…` : pattern;
    report(explanation, pointer, {
      keyword: 'pattern',
      expected: `text that matches ${source}`,
      actual: shown(explanation, value),
    });
  }
  const format = stringMember(json, 'format');
  if (format !== undefined && builder.formats.get(format)?.(value) === false) {
    report(explanation, pointer, {
      keyword: 'format',
      expected: formatWords(format),
      actual: shown(explanation, value),
    });
  }
}
