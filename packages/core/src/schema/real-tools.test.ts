import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report, sharedFolder } from '../../../../test/support/suites.ts';
import type { JsonValue } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';
import { SchemaError } from './schema-error.ts';

interface RealTool {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
}

interface RealCase {
  readonly id: string;
  readonly tools: readonly RealTool[];
  readonly calls: readonly { readonly name: string; readonly arguments: string; readonly valid: boolean }[];
}

const shared = sharedFolder();
const data = shared === undefined ? undefined : join(shared, 'data');

/** A few definitions as they are met at servers, so that this file means something without the recorded ones. */
const ownTools: readonly RealTool[] = [
  {
    name: 'draft-07 with a definition',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/Input',
      definitions: {
        Input: {
          type: 'object',
          properties: { path: { type: 'string' } },
          required: ['path'],
          additionalProperties: false,
        },
      },
    },
  },
  {
    name: 'leftovers of older drafts',
    inputSchema: {
      type: 'object',
      id: 'tool',
      properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true } },
    },
  },
  {
    name: 'a reference that leads nowhere',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/definitions/Missing' } } },
  },
  { name: 'no arguments', inputSchema: { type: 'object', properties: {} } },
];

function realTools(): readonly RealTool[] {
  if (data === undefined) return [];
  const folder = join(data, 'mcp-tools');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name): readonly RealTool[] => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

test("every recorded definition compiles as somebody else's schema, or is refused by name", () => {
  const tools = [...ownTools, ...realTools()];
  const refused: string[] = [];
  for (const tool of tools) {
    for (const schema of [tool.inputSchema, tool.outputSchema ?? true]) {
      try {
        const compiled = compileSchema(schema, { trust: 'foreign' });
        expect(compiled.check({})).toBe(compiled.explain({}).length === 0);
      } catch (error) {
        if (!SchemaError.is(error)) throw error;
        refused.push(`${tool.name}: ${error.code}`);
      }
    }
  }
  report(
    `Recorded tool definitions: ${tools.length - refused.length} of ${tools.length} compile; refused: ${refused.join(', ')}`,
  );
  expect(refused).toEqual(['a reference that leads nowhere: schema/reference-unresolved']);
});

test('every recorded call gets the recorded verdict', () => {
  const path = data === undefined ? undefined : join(data, 'bfcl', 'cases.jsonl');
  const cases: readonly RealCase[] =
    path === undefined
      ? []
      : readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
  const disagreements: string[] = [];
  let calls = 0;
  for (const { id, tools, calls: recorded } of cases) {
    const schemas = new Map(
      tools.map((tool) => [tool.name, compileSchema(tool.inputSchema, { trust: 'foreign' })]),
    );
    for (const call of recorded) {
      calls += 1;
      const value: JsonValue = JSON.parse(call.arguments);
      const valid = schemas.get(call.name)?.check(value) ?? false;
      if (valid !== call.valid) disagreements.push(`${id} ${call.name}`);
    }
  }
  report(`Recorded calls: ${calls - disagreements.length} of ${calls} verdicts agree`);
  expect(disagreements).toEqual([]);
});
