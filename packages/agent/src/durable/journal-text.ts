import { type JsonValue, readJson, writeJson } from '@toolgate/core';

/** The text of a value in a journal. It has no bounds of its own: what it holds was bounded when it came in. */
export function writeJournal(value: JsonValue): string {
  return writeJson(value, { maxBytes: 'none', maxDepth: 'none' });
}

/** Reads back everything that {@link writeJournal} writes, also what would be refused in a stranger's text. */
export function readJournal(text: string): JsonValue {
  return readJson(text, {
    maxBytes: 'none',
    maxDepth: 'none',
    inexactIntegers: 'allow',
    noncharacters: 'allow',
    forbiddenMembers: 'allow',
  });
}
