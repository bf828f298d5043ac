import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { isAnnotation } from '../intake/known-keywords.ts';
import { type Explanation, report, shown } from './explanation.ts';
import { demandedNames, saySchema } from './say-schema.ts';
import { showAll } from './show-value.ts';

/** Reports a value that is what `not` describes. */
export function explainNot(
  not: JsonValue,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
): void {
  const keyword = 'not';
  if (not === true || (isJsonObject(not) && Object.keys(not).every(isAnnotation))) {
    report(explanation, pointer, { keyword, expected: 'absent', actual: 'present' });
    return;
  }
  const names = isJsonObject(value) ? demandedNames(not) : undefined;
  if (names !== undefined) {
    const [expected, actual] =
      names.length === 1
        ? [`no member ${showAll(names)}`, 'it']
        : [`not all of the members ${showAll(names)}`, 'all of them'];
    report(explanation, pointer, { keyword, verb: 'have', expected, actual });
    return;
  }
  const expected = `other than ${saySchema(not) ?? 'what "not" describes'}`;
  report(explanation, pointer, { keyword, expected, actual: shown(explanation, value) });
}
