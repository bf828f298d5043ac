import { readJson } from '@toolgate/core';

/** A step into a value: the name of a member, or the place of an item. */
export type PathStep = string | number;

const SHORT_NAME = /\.([\p{L}_][\p{L}\p{N}_-]*)/uy;
const INDEX = /\[(0|[1-9]\d{0,8})\]/y;
const QUOTED_NAME = /\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/sy;

/**
 * Reads a path that leads to one place: names and places, no choices.
 *
 * @returns `undefined` for anything else.
 * @see RFC 9535, section 2.7 "Normalized Paths", and the short names of section 2.5.1.
 */
export function readJsonPath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: PathStep[] = [];
  let at = 1;
  while (at < path.length) {
    const [rule, found] = match(path, at);
    if (found === null) return undefined;
    at += found[0].length;
    const step = rule === INDEX ? Number(found[1]) : rule === SHORT_NAME ? found[1] : unquote(found);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

function match(path: string, at: number): readonly [rule: RegExp, found: RegExpExecArray | null] {
  for (const rule of [SHORT_NAME, INDEX, QUOTED_NAME]) {
    rule.lastIndex = at;
    const found = rule.exec(path);
    if (found !== null) return [rule, found];
  }
  return [QUOTED_NAME, null];
}

function unquote([, single, double]: RegExpExecArray): string | undefined {
  // In single quotes the one quote is escaped and the other one is not; JSON has it the other way round.
  const inner = single === undefined ? double : single.replaceAll(/\\.|"/gs, swapQuote);
  if (inner === undefined) return undefined;
  try {
    const name = readJson(`"${inner}"`);
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

function swapQuote(found: string): string {
  if (found === '"') return '\\"';
  return found === "\\'" ? "'" : found;
}
