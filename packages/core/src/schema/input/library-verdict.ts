import { ignoreThrown } from '../../internal/ignore-thrown.ts';
import { joinPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Issue } from '../schema.ts';
import type { InputVerdict } from './input.ts';
import type { LibraryParts } from './library-schema.ts';

/** Issues of a library that are kept; more help nobody. */
const maxIssues = 100;
const maxMessageLength = 300;

/**
 * Asks a library about a value.
 *
 * @throws What the library throws, and TypeError for an answer that is not of Standard Schema.
 */
export function libraryVerdict<Output>(
  vendor: string,
  validate: NonNullable<LibraryParts['validate']>,
  value: JsonValue,
): InputVerdict<Output> {
  const answer = validate(value);
  if (typeof answer !== 'object' || answer === null)
    throw new TypeError(`${vendor} gave no answer of Standard Schema`);
  if ('then' in answer && typeof answer.then === 'function') {
    // Its later rejection would otherwise end the process.
    Promise.resolve(answer).then(undefined, ignoreThrown);
    return { kind: 'asynchronous' };
  }
  const issues: unknown = Reflect.get(answer, 'issues');
  if (issues === undefined || issues === null)
    return { kind: 'valid', value: Reflect.get(answer, 'value') as Output };
  return { kind: 'invalid', issues: Object.freeze(readIssues(vendor, issues)) };
}

function readIssues(vendor: string, issues: unknown): readonly Issue[] {
  const list: readonly unknown[] = Array.isArray(issues) ? issues.slice(0, maxIssues) : [];
  return list.length === 0
    ? [issueOf(vendor, undefined)]
    : Array.from(list, (issue) => issueOf(vendor, issue));
}

function issueOf(vendor: string, raw: unknown): Issue {
  const read = (name: string): unknown =>
    typeof raw === 'object' && raw !== null ? Reflect.get(raw, name) : undefined;
  const [message, code, path] = [read('message'), read('code'), read('path')];
  const text =
    typeof message === 'string' && message !== ''
      ? message.slice(0, maxMessageLength).toWellFormed()
      : 'is not accepted';
  return Object.freeze({
    pointer: joinPointer(Array.isArray(path) ? Array.from(path, tokenOf) : []),
    keyword: typeof code === 'string' && /^[\w-]{1,40}$/.test(code) ? code : vendor,
    expected: text,
    actual: '',
    message: text,
  });
}

function tokenOf(segment: unknown): string | number {
  const key: unknown =
    typeof segment === 'object' && segment !== null ? Reflect.get(segment, 'key') : segment;
  return typeof key === 'number' ? key : String(key);
}
