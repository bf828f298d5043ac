import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { report, suiteFolder } from '../../../../test/support/suites.ts';
import { compileSchema } from './compile-schema.ts';
import { SchemaError } from './schema-error.ts';

interface Case {
  readonly schema: unknown;
  readonly values: readonly never[];
}

const output = fileURLToPath(new URL('../../../../.cache/no-eval', import.meta.url));

/** Runs in a process that cannot make code from text, and says so first. */
const runner = `
import { readFileSync } from 'node:fs';
import { compileSchema } from './schema.mjs';
let evaluates = true;
try { new Function('return 1')(); } catch { evaluates = false; }
const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
const judge = ({ schema, values }) => {
  try {
    const compiled = compileSchema(schema, { formats: 'annotate', defaults: 'annotate' });
    return values.map((value) => [compiled.check(value), compiled.explain(value)]);
  } catch (error) {
    return error.code;
  }
};
process.stdout.write(JSON.stringify({ evaluates, verdicts: cases.map(judge) }));
`;

const ownCases: readonly Case[] = [
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a+$' } },
      additionalProperties: false,
    },
    values: [{ a: 'aa' }, { a: 'b' }, { b: 1 }] as never[],
  },
  { schema: { $ref: '#/$defs/none' }, values: [] },
  {
    schema: { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    values: [{ a: 1 }, { b: 1 }] as never[],
  },
];

function suiteCases(): readonly Case[] {
  const suite = suiteFolder('json-schema');
  if (suite === undefined) return [];
  const files = join(suite, 'tests', 'draft2020-12');
  return readdirSync(files)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(files, name), 'utf8')))
    .map(({ schema, tests }) => ({
      schema,
      values: tests.map(({ data }: { readonly data: never }) => data),
    }));
}

function judge({ schema, values }: Case): unknown {
  try {
    const compiled = compileSchema(schema, { formats: 'annotate', defaults: 'annotate' });
    return values.map((value) => [compiled.check(value), compiled.explain(value)]);
  } catch (error) {
    return SchemaError.is(error) ? error.code : error;
  }
}

test('every verdict and every issue is the same where code cannot be made from text', async () => {
  const cases = [...ownCases, ...suiteCases()];
  mkdirSync(output, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('compile-schema.ts', import.meta.url)),
      outDir: output,
      emptyOutDir: true,
      minify: false,
      rollupOptions: { output: { entryFileNames: 'schema.mjs' } },
    },
  });
  writeFileSync(join(output, 'cases.json'), JSON.stringify(cases));
  writeFileSync(join(output, 'runner.mjs'), runner);
  const printed = execFileSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', join(output, 'runner.mjs')],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { evaluates, verdicts } = JSON.parse(printed);
  report(`Without code generation: ${verdicts.length} schemas gave the same verdicts`);
  expect(evaluates).toBe(false);
  expect(verdicts).toEqual(JSON.parse(JSON.stringify(cases.map(judge))));
});
