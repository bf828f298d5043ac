import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A test that a page names as evidence. */
export interface CitedTest {
  /** From the root of the repository. */
  readonly file: string;
  /** As written in the source, placeholders included; the id of a case where the file is one of the corpus. */
  readonly title: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const texts = new Map<string, string>();

/** Text of a file of the repository; `undefined` where there is none. */
export function readRepositoryFile(file: string): string | undefined {
  const known = texts.get(file);
  if (known !== undefined) return known;
  if (!existsSync(root + file)) return undefined;
  const text = readFileSync(root + file, 'utf8');
  texts.set(file, text);
  return text;
}

/** The cells of all rows of all tables of a page, without heads and rules. */
export function tableRows(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? ''))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

function isRule(line: string): boolean {
  return /^\|(?: --- \|)+$/.test(line);
}

/** The tests that a cell names: `file` › title, one after the other. */
export function citedTests(cell: string): readonly CitedTest[] {
  return cell.split('<br>').flatMap((part) => {
    const [, file, title] = /^`([^`]+)` › (.+)$/.exec(part) ?? [];
    return file === undefined || title === undefined ? [] : [{ file, title }];
  });
}

/** Whether the file is there and holds a test, a row of its table, or a case, of exactly this title. */
export function isThere({ file, title }: CitedTest): boolean {
  const text = readRepositoryFile(file);
  if (text === undefined) return false;
  if (file.endsWith('.jsonl')) return text.includes(`"id":"${title}",`);
  const literal = title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // The first argument of a call, or the first cell of a row.
  return new RegExp(`[([]\\s*(['"\`])${literal}\\1\\s*,`).test(text);
}
