import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { report, sharedFolder } from '../../../../test/support/suites.ts';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';
import type { ToolReport } from './tool-report.ts';

const folder = createTemporaryFolder();
afterAll(() => folder.remove());

const object = (properties: object): object => ({ type: 'object', properties });
const weather = {
  name: 'get_weather',
  description: 'Tells the weather.',
  inputSchema: { ...object({ city: { type: 'string', pattern: '^[A-Z]' } }), required: ['city'] },
  annotations: { readOnlyHint: true },
};

async function inspectJson(value: unknown, ...options: readonly string[]) {
  const run = await runMain(['inspect', '-', '--json', ...options], { stdin: JSON.stringify(value) });
  const parsed = JSON.parse(run.stdout) as {
    readonly tools: readonly ToolReport[];
    readonly summary: { readonly tools: number; readonly errors: number };
  };
  return { ...run, ...parsed };
}

describe('toolgate inspect --json', () => {
  test('says everything about a good tool, and believes nothing that it says about itself', async () => {
    const { code, tools, summary } = await inspectJson([weather]);
    expect([code, summary]).toEqual([0, { tools: 1, errors: 0 }]);
    expect(tools[0]).toMatchObject({
      name: 'get_weather',
      form: 'mcp',
      class: 'unclassified',
      hints: { readOnlyHint: true },
      contractDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
      input: { dialect: '2020-12', depth: 2, nodes: 2, notes: [] },
      patterns: [{ pointer: '/properties/city/pattern', source: '^[A-Z]', verdict: 'linear' }],
      fitness: {
        openai: { name: 'get_weather' },
        anthropic: { verdict: 'exact' },
        gemini: { reasons: expect.any(Array) },
      },
      faults: [],
    });
  });

  test('the digest changes with whatever a reviewer is shown', async () => {
    const {
      tools: [one],
    } = await inspectJson([weather]);
    const {
      tools: [other],
    } = await inspectJson([{ ...weather, description: 'Tells the weather!' }]);
    expect(other?.contractDigest).not.toBe(one?.contractDigest);
  });

  test('the same tool has one digest in every form that says the same', async () => {
    const { name, description, inputSchema } = weather;
    const { tools } = await inspectJson([
      { name, description, inputSchema },
      { name, description, input_schema: inputSchema },
      { type: 'function', function: { name, description, parameters: inputSchema } },
    ]);
    expect(new Set(tools.map(({ contractDigest }) => contractDigest)).size).toBe(1);
  });

  test('ignored keywords and normalised forms are notes with their places', async () => {
    const inputSchema = object({
      n: { type: 'number', minimum: 1, exclusiveMinimum: true },
      s: { type: 'string', format: 'colour', 'x-shade': 1 },
    });
    const { code, tools } = await inspectJson([{ ...weather, inputSchema }]);
    expect(code).toBe(0);
    expect(tools[0]?.input?.notes.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual(
      expect.arrayContaining([
        'normalised /properties/n/exclusiveMinimum',
        'format-ignored /properties/s/format',
      ]),
    );
    expect((await inspectJson([{ ...weather, inputSchema }], '--strict')).tools[0]?.faults).toMatchObject([
      { code: 'schema/leftover' },
    ]);
  });

  test.each([
    ['a name that no contract can have', [{ ...weather, name: 'get.weather' }], ['tool/name-invalid']],
    ['a name that is taken', [weather, weather], ['tool/name-duplicate']],
    [
      'a name that looks like another',
      [weather, { ...weather, name: 'Get-Weather' }],
      ['tool/name-confusable'],
    ],
    [
      'a remote reference',
      [{ ...weather, inputSchema: object({ a: { $ref: 'http://x.example/' } }) }],
      ['schema/reference-remote'],
    ],
    [
      'a slow pattern',
      [{ ...weather, inputSchema: object({ a: { pattern: '^(a|a)*$' } }) }],
      ['schema/pattern-unsafe'],
    ],
    ['no definition at all', [{ hello: 1 }], ['cli/definition-unknown']],
  ])('%s is an error and exit code 1', async (_what, definitions, codes) => {
    const { code, tools, summary } = await inspectJson(definitions);
    expect([code, summary.errors]).toEqual([1, 1]);
    expect(tools.at(-1)?.faults.map((fault) => fault.code)).toEqual(codes);
  });

  test('one bad tool does not hide what is known of the others', async () => {
    const { tools } = await inspectJson([{ name: 'bad', inputSchema: 7 }, weather]);
    expect(tools.map(({ faults }) => faults.length)).toEqual([1, 0]);
  });

  test('a name with dots is judged for each provider as it is written', async () => {
    const { tools } = await inspectJson([{ ...weather, name: 'get.weather' }]);
    expect(tools[0]?.fitness?.gemini.name).toBe('get.weather');
    expect(tools[0]?.fitness?.openai.name).toBe(tools[0]?.alias);
  });

  test('a bound beyond 2^53 in a schema is no error', async () => {
    const text = JSON.stringify([
      { ...weather, inputSchema: object({ n: { type: 'integer', maximum: 7 } }) },
    ]);
    const { code } = await runMain(['inspect', '-'], {
      stdin: text.replace('"maximum":7', '"maximum":9223372036854775807'),
    });
    expect(code).toBe(0);
  });
});

describe('toolgate inspect as a table', () => {
  test('has one row for each tool, the errors, and a last line that sums up', async () => {
    const { code, stdout } = await runMain(['inspect', '-'], {
      stdin: JSON.stringify([
        weather,
        { name: 'bad', inputSchema: 7 },
        { type: 'web_search', name: 'search' },
      ]),
    });
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(1);
    expect(lines[1]).toMatch(/^get_weather +unclassified +[0-9a-f]{12} +\d+ +2 +1 +0 /u);
    expect(lines[2]).toMatch(/^bad +refused$/u);
    expect(lines[3]).toMatch(/^search +hosted$/u);
    expect(stdout).toContain('error  bad  schema/not-a-schema');
    expect(lines.at(-1)).toBe('3 tools, 1 with errors, 0 notes');
  });

  test('is as wide as the terminal where that is possible, and in colour', async () => {
    const name = 'a_very_long_name_of_a_tool_that_does_not_fit_into_one_line_of_it';
    const { stdout } = await runMain(['inspect', '-'], {
      stdin: JSON.stringify([{ ...weather, name }]),
      columns: 110,
    });
    const [, row = ''] = stdout.split('\n');
    expect(row).toContain('\u001b[1m');
    expect(stripVTControlCharacters(row).length).toBeLessThanOrEqual(110);
  });

  test('shows notes, patterns, hints and reasons with --details', async () => {
    const inputSchema = object({
      n: { type: 'number', minimum: 1, exclusiveMinimum: true },
      p: { type: 'string', pattern: 'x' },
    });
    const { stdout } = await runMain(['inspect', '-', '--details'], {
      stdin: JSON.stringify([{ ...weather, inputSchema, name: 'a.b' }]),
    });
    for (const words of [
      'normalised  /properties/n/exclusiveMinimum',
      'linear  /properties/p/pattern',
      'readOnlyHint true',
      'alias',
      'sha256:',
    ]) {
      expect(stdout).toContain(words);
    }
  });

  test('a foreign text cannot write to the terminal', async () => {
    const { stdout } = await runMain(['inspect', '-', '--details'], {
      stdin: JSON.stringify([
        { ...weather, name: '\u001b[2Jgone\u202e', annotations: { title: '\u001b]0;x\u0007' } },
      ]),
    });
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
    expect(stdout).toContain('\\u{1b}[2Jgone');
  });
});

describe('what inspect is given', () => {
  test('a file by its path, relative to the folder that it runs in', async () => {
    folder.write('tools.json', [weather]);
    expect((await runMain(['inspect', 'tools.json'], { cwd: folder.path })).code).toBe(0);
  });

  test('a module by its ending', async () => {
    const path = folder.write(
      'tools.mjs',
      "export const tools = [{ definition: () => ({ name: 'w', description: '', inputSchema: { type: 'object' } }), call: async () => {}, profile: { class: 'write' } }];",
    );
    const { code, stdout } = await runMain(['inspect', path]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^w +write /mu);
  });

  test.each([
    ['a file that is not there', 'nothing.json', '', 'cli/input-unreadable'],
    ['a folder', '.', '', 'cli/input-unreadable'],
    ['text that is no JSON', '-', '{"tools":', 'json/unexpected-end'],
    ['a member that is written twice', '-', '{"tools":[],"tools":[]}', 'json/duplicate-member'],
    ['a prototype', '-', '{"__proto__":{"tools":[]}}', 'json/forbidden-member'],
    ['JSON without tools', '-', '{"a":1}', 'cli/definitions-unknown'],
    ['nesting without an end', '-', '['.repeat(100_000), 'json/too-deep'],
  ])('%s is one line with a code, and exit code 1', async (_what, file, stdin, code) => {
    const run = await runMain(['inspect', file], { stdin, cwd: folder.path });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(/^toolgate: [^\n]+\n$/u);
    expect(run.stderr).toContain(`(${code})`);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const path = folder.write('latin.json', Uint8Array.of(0x5b, 0x22, 0xe9, 0x22, 0x5d));
    expect((await runMain(['inspect', path])).stderr).toContain('(json/bad-utf8)');
  });

  test('more than 64 MiB is not read to its end', async () => {
    let served = 0;
    async function* endless() {
      for (;;) {
        served += 1_048_576;
        yield new Uint8Array(1_048_576).fill(0x20);
      }
    }
    const { code, stderr } = await runMain(['inspect', '-'], { stdin: endless() });
    expect([code, served]).toEqual([1, 65 * 1_048_576]);
    expect(stderr).toContain('(cli/input-too-large)');
  });
});

test('every real definition gets a contract or is refused by name, and a verdict for each provider', async () => {
  const shared = sharedFolder();
  const real = shared === undefined ? undefined : join(shared, 'data', 'mcp-tools');
  const files =
    real !== undefined && existsSync(real)
      ? readdirSync(real).map((name) => join(real, name))
      : [join(import.meta.dirname, '../../../../examples/data/mcp-tools.json')];
  let count = 0;
  for (const file of files) {
    const { tools } = await inspectJson(JSON.parse(readFileSync(file, 'utf8')));
    count += tools.length;
    for (const { faults, contractDigest, fitness } of tools) {
      if (faults.length > 0) continue;
      expect(contractDigest).toMatch(/^sha256:/u);
      expect(Object.keys(fitness ?? {})).toEqual(['openai', 'anthropic', 'gemini']);
    }
  }
  report(`toolgate inspect: ${count} real definitions in ${files.length} files`);
  expect(count).toBeGreaterThanOrEqual(12);
});
