import { countOf, formatCount } from '../terminal/format-count.ts';
import type { Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Finding } from './verify-case.ts';
import type { VerifyTotals } from './verify-totals.ts';

/** One finding in one or more lines. */
export function formatFinding(finding: Finding, paint: Paint): string {
  const place = `line ${formatCount(finding.line)}`;
  switch (finding.kind) {
    case 'case-invalid':
      return `${paint('bad', 'no case')}  ${place}  ${finding.code}  ${safeText(finding.message)}\n`;
    case 'definition-refused':
      return `${paint('bad', 'definition refused')}  ${place}  ${safeText(finding.case, 80)}  ${paint('strong', safeText(finding.tool, 80))}  ${finding.code}  ${safeText(finding.message)}\n`;
    case 'disagreement': {
      const head = `${paint('bad', 'disagreement')}  ${place}  ${safeText(finding.case, 80)}  ${paint('strong', safeText(finding.tool, 80))}  recorded as ${finding.recorded}, ${finding.verdict}`;
      if (finding.text === undefined) return `${head}\n`;
      const why = finding.text.split('\n').map((line) => `  ${safeText(line)}\n`);
      return `${head}: ${finding.reason}\n${why.join('')}`;
    }
  }
}

/** The last lines of a verification. */
export function formatTotals(
  { counts, invalidCases, refusedDefinitions }: VerifyTotals,
  paint: Paint,
): string {
  const { cases, calls, tools, aliased, admitted, refused, unchecked, agreed, disagreed, unrecorded } =
    counts;
  const wrong = [
    ...(invalidCases > 0 ? [countOf(invalidCases, 'line that is no case', 'lines that are no cases')] : []),
    ...(refusedDefinitions > 0 ? [countOf(refusedDefinitions, 'refused definition')] : []),
    ...(unchecked > 0 ? [countOf(unchecked, 'unchecked call')] : []),
  ];
  return [
    `${countOf(cases, 'case')}, ${countOf(tools, 'tool')} (${formatCount(aliased)} under an alias), ${countOf(calls, 'call')}\n`,
    `${formatCount(admitted)} admitted, ${formatCount(refused)} refused\n`,
    wrong.length > 0 ? `${paint('bad', wrong.join(', '))}\n` : '',
    `${paint('good', `${formatCount(agreed)} agree`)} with what was recorded, ${paint(disagreed > 0 ? 'bad' : 'quiet', `${formatCount(disagreed)} disagree`)}${unrecorded > 0 ? `, ${formatCount(unrecorded)} not recorded` : ''}\n`,
  ].join('');
}
