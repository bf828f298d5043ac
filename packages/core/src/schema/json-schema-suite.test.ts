import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { report, suiteFolder } from '../../../../test/support/suites.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { CompileSchemaOptions } from './compile-options.ts';
import { compileSchemaWith } from './compile-schema.ts';
import { formatChecks } from './formats/format-checks.ts';
import { metaSchema } from './meta/meta-schema.ts';
import type { Library } from './reference/schema-index.ts';
import type { Dialect, Schema } from './schema.ts';
import { SchemaError } from './schema-error.ts';

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

const folder = suiteFolder('json-schema');
const drafts: readonly (readonly [string, Dialect])[] = [
  ['draft2020-12', '2020-12'],
  ['draft7', 'draft-07'],
];

/** Required tests that are known to fail. The list may only shrink. */
const expectedFailures: readonly string[] = [
  // A custom $vocabulary that switches keywords off: what a schema enforces must not depend on another document.
  'draft2020-12/vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
];

/** As the suite asks: formats and defaults are annotations. */
const asSuite: CompileSchemaOptions = { formats: 'annotate', defaults: 'annotate' };

function jsonFiles(from: string): readonly string[] {
  return readdirSync(from)
    .flatMap((name) => {
      const path = join(from, name);
      return statSync(path).isDirectory() ? jsonFiles(path).map((below) => join(name, below)) : [name];
    })
    .filter((name) => name.endsWith('.json'));
}

function readGroups(path: string): readonly SuiteGroup[] {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The suite's own remote documents, which a library gives without any network. */
function remotes(suite: string, draft: string, dialect: Dialect): Library {
  const documents = new Map<string, JsonObject | boolean>();
  for (const name of jsonFiles(join(suite, 'remotes'))) {
    const [top = ''] = name.split('/');
    if (/^(?:draft|v1)/.test(top) && top !== draft) continue;
    documents.set(
      `http://localhost:1234/${name}`,
      JSON.parse(readFileSync(join(suite, 'remotes', name), 'utf8')),
    );
  }
  return (uri) => {
    const json = documents.get(uri);
    return json === undefined ? metaSchema(uri) : { json: structuredClone(json), dialect };
  };
}

function verdict(schema: Schema | string, data: JsonValue): boolean | string {
  return typeof schema === 'string' ? schema : schema.check(data);
}

function compileGroup(group: SuiteGroup, options: CompileSchemaOptions, library: Library): Schema | string {
  try {
    return compileSchemaWith(group.schema, options, library);
  } catch (error) {
    if (SchemaError.is(error)) return error.code;
    throw error;
  }
}

/** Runs files and names what went wrong. */
function run(
  suite: string,
  draft: string,
  dialect: Dialect,
  files: readonly string[],
  options: CompileSchemaOptions,
) {
  const library = remotes(suite, draft, dialect);
  const failures: string[] = [];
  let tests = 0;
  for (const file of files) {
    for (const group of readGroups(join(suite, 'tests', draft, file))) {
      const schema = compileGroup(group, { ...options, dialect }, library);
      for (const { description, data, valid } of group.tests) {
        tests += 1;
        if (verdict(schema, data) !== valid)
          failures.push(`${draft}/${file}: ${group.description}: ${description}`);
        else if (typeof schema !== 'string' && (schema.explain(data).length === 0) !== valid) {
          failures.push(`${draft}/${file}: ${group.description}: ${description} (explained otherwise)`);
        }
      }
    }
  }
  return { tests, failures };
}

describe('JSON-Schema-Test-Suite', () => {
  const present = folder === undefined ? [] : drafts;

  test('its absence is said aloud', () => {
    if (folder === undefined) report('JSON-Schema-Test-Suite: not found, nothing of it ran');
    expect(present.length).toBe(folder === undefined ? 0 : 2);
  });

  test.each(present)('every required test of %s is right', (draft, dialect) => {
    const suite = folder ?? '';
    const files = readdirSync(join(suite, 'tests', draft)).filter((name) => name.endsWith('.json'));
    const { tests, failures } = run(suite, draft, dialect, files, asSuite);
    report(`JSON-Schema-Test-Suite ${draft}, required: ${tests - failures.length} of ${tests} right`);
    expect(tests).toBeGreaterThan(900);
    expect(failures).toEqual(expectedFailures.filter((failure) => failure.startsWith(`${draft}/`)));
  });

  test.each(present)('every test of the asserted formats of %s is right', (draft, dialect) => {
    const suite = folder ?? '';
    const known = new Set(readdirSync(join(suite, 'tests', draft, 'optional', 'format')));
    const files = [...formatChecks.keys()].map((name) => `${name}.json`).filter((name) => known.has(name));
    const paths = files.map((name) => join('optional', 'format', name));
    const { tests, failures } = run(suite, draft, dialect, paths, { defaults: 'annotate' });
    report(
      `JSON-Schema-Test-Suite ${draft}, ${files.length} formats: ${tests - failures.length} of ${tests} right`,
    );
    expect(tests).toBeGreaterThan(300);
    expect(failures).toEqual([]);
  });

  test.each(present)(
    'with the options of an application, %s differs only in formats and defaults',
    (draft, dialect) => {
      const suite = folder ?? '';
      const files = readdirSync(join(suite, 'tests', draft)).filter((name) => name.endsWith('.json'));
      const { failures } = run(suite, draft, dialect, files, {});
      const others = failures.filter((failure) => !/\/(?:format|default)\.json: /.test(failure));
      expect(others).toEqual(expectedFailures.filter((failure) => failure.startsWith(`${draft}/`)));
    },
  );
});
