import type { JsonPlace } from './json-error.ts';
import type { JsonFault } from './json-fault.ts';
import { joinPointer } from './json-pointer.ts';

/** Line, column and pointer of a fault. Walks the text up to it once, so it is only asked after a failure. */
export function locateFault(text: string, fault: JsonFault): JsonPlace {
  const before = text.slice(0, fault.offset);
  const lines = before.split(/\r\n|\r|\n/);
  return {
    pointer: pointerAt(text, fault),
    offset: fault.offset,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
  };
}

/** One open container on the way to a fault. */
interface Step {
  readonly isObject: boolean;
  /** The index, or the member name; `undefined` while the name is not known. */
  token: string | number | undefined;
}

/** The text before the fault is well-formed JSON as far as it goes, which is all that this relies on. */
function pointerAt(text: string, fault: JsonFault): string {
  const steps: Step[] = [];
  let at = 0;
  while (at < fault.offset) {
    const step = steps.at(-1);
    switch (text.charAt(at)) {
      case '"': {
        const end = endOfString(text, at);
        if (end > fault.offset) return toPointer(steps);
        if (step?.isObject === true && step.token === undefined) step.token = readName(text.slice(at, end));
        at = end;
        continue;
      }
      case '{':
        steps.push({ isObject: true, token: undefined });
        break;
      case '[':
        steps.push({ isObject: false, token: 0 });
        break;
      case '}':
      case ']':
        steps.pop();
        break;
      case ',':
        if (step !== undefined) step.token = typeof step.token === 'number' ? step.token + 1 : undefined;
        break;
    }
    at++;
  }
  const last = steps.at(-1);
  if (
    last !== undefined &&
    (fault.code === 'json/duplicate-member' || fault.code === 'json/forbidden-member')
  ) {
    last.token = readName(text.slice(at, endOfString(text, at)));
  }
  return toPointer(steps);
}

function toPointer(steps: readonly Step[]): string {
  return joinPointer(steps.flatMap(({ token }) => (token === undefined ? [] : [token])));
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function readName(literal: string): string {
  return String(JSON.parse(literal));
}
