import { createGate, defineTool, type JsonObject, type Tool } from '@toolgate/core';
import { expect, test } from 'vitest';
import { gateTools, listedTool } from './listed-tool.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const LATEST = 'https://json-schema.org/draft/2020-12/schema';

/** What a client is shown of a tool with this input. */
function shownOf(input: Parameters<typeof defineTool>[0]['input']): JsonObject {
  const tool: Tool = defineTool({ name: 't', description: '', input, execute: () => '' });
  const tools = gateTools(createGate({ tools: [tool] }).tools);
  const definition = tools.get('t')?.contract.definition;
  if (definition === undefined) throw new Error('There is no tool.');
  return listedTool(definition, tools).inputSchema as JsonObject;
}

test('a tool of an input library is listed in the dialect of the protocol, whatever the library writes first', () => {
  const asked: unknown[] = [];
  const library = {
    '~standard': {
      version: 1,
      vendor: 'made-up',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: ({ target }: { readonly target: string }) => {
          asked.push(target);
          return { $schema: LATEST, type: 'object', properties: { a: { type: 'array', prefixItems: [{}] } } };
        },
        output: () => ({}),
      },
    },
  };
  const shown = shownOf(library as never);
  expect(asked).toEqual(['draft-2020-12']);
  expect(shown['$schema'] ?? LATEST).toBe(LATEST);
  expect(shown['properties']).toEqual({ a: { type: 'array', prefixItems: [{}] } });
});

test.each<[string, JsonObject, string]>([
  ['nothing', { type: 'object', $defs: { a: {} } }, LATEST],
  ['the dialect of the protocol', { $schema: LATEST, type: 'object', $defs: { a: {} } }, LATEST],
  ['an older one', { $schema: DRAFT_07, type: 'object', definitions: { a: {} } }, DRAFT_07],
  [
    'one that is only read as a newer one',
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object', properties: { a: { maximum: 1 } } },
    DRAFT_07,
  ],
])('a schema that declares %s is listed with the dialect that is enforced', (_what, input, dialect) => {
  expect(shownOf(input)['$schema'] ?? LATEST).toBe(dialect);
});
