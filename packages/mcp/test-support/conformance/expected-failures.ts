import { readFile } from 'node:fs/promises';
import type { SuiteRevision, SuiteVerdict } from './run-suite.ts';

const FILE = new URL('expected-failures.txt', import.meta.url);
const LINE = /^(server|client) (\S+) (\S+) +# (\S.*)$/;

/** The scenarios of one side and revision that are known to fail. Each has a reason. */
export async function expectedFailures(
  side: 'server' | 'client',
  revision: SuiteRevision,
): Promise<readonly string[]> {
  const lines = (await readFile(FILE, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const entries = lines.map((line) => {
    const [, which, when, scenario] = LINE.exec(line) ?? [];
    if (scenario === undefined) throw new Error(`Not an entry with a reason: ${line}`);
    return { key: `${which} ${when}`, scenario };
  });
  return entries.filter(({ key }) => key === `${side} ${revision}`).map(({ scenario }) => scenario);
}

/** The scenarios that failed, by name. */
export function failuresOf(verdicts: readonly SuiteVerdict[]): readonly string[] {
  return verdicts.filter(({ failed }) => failed > 0).map(({ scenario }) => scenario);
}
