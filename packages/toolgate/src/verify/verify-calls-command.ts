import { CliError } from '../cli-error.ts';
import { type ContractCache, createContractCache } from '../definitions/contract-cache.ts';
import { createLineSplitter, type Line } from '../input/line-splitter.ts';
import { openSource } from '../input/open-source.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf, formatCount } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { createProgressBar } from '../terminal/progress-bar.ts';
import { formatFinding, formatTotals } from './format-finding.ts';
import { isCaseFault, readCase } from './read-case.ts';
import { type Finding, verifyCase } from './verify-case.ts';
import { addCounts, NO_TOTALS, type VerifyTotals } from './verify-totals.ts';

/** Options of `toolgate verify-calls`. */
export interface VerifyCallsOptions {
  readonly json: boolean;
  /** Bytes of one line; a longer one is reported and skipped. */
  readonly maxLineBytes: number;
}

/**
 * Checks recorded calls against the contracts of their tools, line by line: memory does not grow with the input, and
 * each finding is written as it is found.
 *
 * @returns The exit code: 1 when there is any finding.
 */
export async function verifyCalls(file: string, options: VerifyCallsOptions, io: CliIo): Promise<number> {
  const source = await openSource(file, io);
  const bar = createProgressBar(io, source.size);
  const paint = createPaint(io.stdout, io.env);
  const splitter = createLineSplitter(options.maxLineBytes);
  const cache = createContractCache();
  let totals = NO_TOTALS;
  let read = 0;

  const work = async (lines: readonly Line[]): Promise<void> => {
    let output = '';
    for (const line of lines) {
      const { findings, ...step } = workLine(line, totals, options.maxLineBytes, cache);
      totals = step.totals;
      for (const finding of findings) {
        output += options.json ? `${jsonText(finding)}\n` : formatFinding(finding, paint);
      }
      if (output.length >= MAX_PENDING) {
        await write(output);
        output = '';
      }
    }
    if (output !== '') await write(output);
  };
  const write = async (output: string): Promise<void> => {
    await bar.clear();
    await io.stdout.write(output);
  };

  for await (const chunk of source.chunks) {
    read += chunk.length;
    await work(splitter.push(chunk));
    await bar.update(read, countOf(totals.counts.cases, 'case'));
  }
  await work(splitter.end());
  await write(
    options.json ? `${jsonText({ kind: 'summary', ...flatten(totals) })}\n` : formatTotals(totals, paint),
  );
  const { counts, invalidCases, refusedDefinitions } = totals;
  return counts.disagreed + counts.unchecked + invalidCases + refusedDefinitions === 0 ? 0 : 1;
}

/** Characters of output that wait for the end of a chunk. */
const MAX_PENDING = 65_536;

function workLine(
  { number, bytes }: Line,
  totals: VerifyTotals,
  maxLineBytes: number,
  cache: ContractCache,
): { readonly totals: VerifyTotals; readonly findings: readonly Finding[] } {
  try {
    if (bytes === undefined) {
      throw new CliError(
        'cli/line-too-long',
        `The line has more than ${formatCount(maxLineBytes)} bytes; --max-line-bytes sets the limit.`,
      );
    }
    if (isBlank(bytes)) return { totals, findings: [] };
    const { counts, findings } = verifyCase(readCase(bytes, number), number, cache);
    const refusals = findings.filter(({ kind }) => kind === 'definition-refused').length;
    return {
      totals: {
        ...totals,
        counts: addCounts(totals.counts, counts),
        refusedDefinitions: totals.refusedDefinitions + refusals,
      },
      findings,
    };
  } catch (error) {
    if (!isCaseFault(error)) throw error;
    const { code, message } = error;
    return {
      totals: { ...totals, invalidCases: totals.invalidCases + 1 },
      findings: [{ kind: 'case-invalid', line: number, code, message }],
    };
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function flatten({ counts, ...others }: VerifyTotals): object {
  return { ...counts, ...others };
}
