import { readFileSync } from 'node:fs';
import { compileSchema, type JsonObject, type JsonValue, readJson, type Schema } from '@toolgate/core';
import { type CorpusCase, type CorpusGroup, type CorpusToolSpec, corpusGroups } from './corpus-case.ts';

// The same distance from src/corpus/ and from dist/corpus/.
const FOLDER = new URL('../../corpus/', import.meta.url);

const readFile = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(name: string): JsonObject {
  const value = readJson(readFile(name));
  if (!isObject(value)) throw new TypeError(`corpus/${name} is not an object`);
  return value;
}

/** A tool by name, a named tool with changes, or a tool of its own. */
function resolveTool(entry: JsonValue, library: JsonObject): JsonObject {
  const { use, ...members } = isObject(entry) ? entry : { use: entry };
  if (typeof use !== 'string') return members;
  const base = Object.hasOwn(library, use) ? library[use] : undefined;
  if (!isObject(base)) throw new TypeError(`tools.json has no ${use}`);
  return { name: use, ...base, ...members };
}

function readLine(line: string, group: CorpusGroup, schema: Schema, library: JsonObject): CorpusCase {
  const value = readJson(line, { maxBytes: 'none' });
  const [issue] = schema.explain(value);
  if (issue !== undefined || !isObject(value)) throw new TypeError(`${issue?.pointer}: ${issue?.message}`);
  const tools = Array.isArray(value['tools']) ? (value['tools'] as readonly JsonValue[]) : [];
  // The schema has just shown that the line has this shape.
  return {
    ...value,
    group,
    tools: tools.map((entry) => resolveTool(entry, library) as unknown as CorpusToolSpec),
  } as unknown as CorpusCase;
}

/**
 * Reads the hostile-call corpus that ships with this package.
 *
 * @param groups - Which parts. Default: all, in the order of {@link corpusGroups}.
 * @throws TypeError when a data file does not have the shape of `corpus/case.schema.json`; names file and line.
 */
export function readCorpus(groups: readonly CorpusGroup[] = corpusGroups): readonly CorpusCase[] {
  const schema = compileSchema(readObject('case.schema.json'));
  const library = readObject('tools.json');
  return groups.flatMap((group) =>
    readFile(`${group}.jsonl`)
      .split('\n')
      .flatMap((line, index) => {
        if (line === '') return [];
        try {
          return [readLine(line, group, schema, library)];
        } catch (cause) {
          throw new TypeError(`corpus/${group}.jsonl, line ${index + 1} cannot be read`, { cause });
        }
      }),
  );
}
