import { appendPointer, type JsonObject } from '@toolgate/core';
import { foldCase } from './fold-case.ts';
import type { WireReader } from './wire-reader.ts';

/** Refuses a request with a member that is called like a known one but for its case. @throws What the reader throws. */
export type CaseCheck = (reader: WireReader, body: JsonObject) => void;

/**
 * Makes the check for one kind of request. Some servers do not care for the case of names, and take the last member of
 * those that are one to them: another model or other tools than were looked at here.
 *
 * @param names - The members that are looked at.
 */
export function createCaseCheck(names: ReadonlySet<string>): CaseCheck {
  const folded = new Set([...names].map(foldCase));
  return (reader, body) => {
    for (const name in body) {
      if (!names.has(name) && folded.has(foldCase(name)))
        reader.fail(appendPointer('', name), 'is another spelling of a known member');
    }
  };
}
