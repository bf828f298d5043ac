import type { JsonPlace } from './json-error.ts';
import type { JsonFault } from './json-fault.ts';
import { joinPointer } from './json-pointer.ts';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const SLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Line, column and pointer of a fault. Walks the text up to it, so it is only asked after a failure. */
export function locateFault(text: string, fault: JsonFault): JsonPlace {
  const { offset } = fault;
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== LF && unit !== CR) continue;
    // The CR of a CR LF ends no line of its own.
    if (unit === CR && at + 1 < offset && text.charCodeAt(at + 1) === LF) continue;
    line++;
    lineStart = at + 1;
  }
  return { pointer: pointerAt(text, fault), offset, line, column: offset - lineStart + 1 };
}

/** One open container on the way to a fault. */
interface Step {
  readonly isObject: boolean;
  /** The element being read, for an array. */
  index: number;
  /** Where the name of the member being read begins, for an object; -1 while there is none. */
  name: number;
}

/** The text before the fault is well-formed JSON as far as it goes, which is all that this relies on. */
function pointerAt(text: string, { code, offset }: JsonFault): string {
  const steps: Step[] = [];
  let step: Step | undefined;
  let at = 0;
  while (at < offset) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      if (end > offset) break;
      if (step?.isObject === true && step.name < 0) step.name = at;
      at = end;
      continue;
    }
    if (unit === COMMA && step !== undefined) {
      step.index++;
      step.name = -1;
    } else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      step = { isObject: unit === OPEN_OBJECT, index: 0, name: -1 };
      steps.push(step);
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
      steps.pop();
      step = steps.at(-1);
    }
    at++;
  }
  // These two are faults of a name that was read whole.
  if (step !== undefined && (code === 'json/duplicate-member' || code === 'json/forbidden-member')) {
    step.name = offset;
  }
  return joinPointer(steps.flatMap((each) => tokenOf(text, each)));
}

function tokenOf(text: string, { isObject, index, name }: Step): [string | number] | [] {
  if (!isObject) return [index];
  return name < 0 ? [] : [String(JSON.parse(text.slice(name, endOfString(text, name))))];
}

/** The offset after the string whose opening quote is at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE || at >= text.length) return at + 1;
    at += unit === SLASH ? 2 : 1;
  }
}
