import { describe, expect, test } from 'vitest';
import type { ModelTool } from '../call/model-call.ts';
import { projectTools } from './project-tools.ts';

const TOOLS: readonly ModelTool[] = [
  {
    kind: 'function',
    name: 'search',
    description: 'Searches.',
    parameters: {
      type: 'object',
      properties: { q: { type: 'string' }, limit: { type: 'integer' } },
      required: ['q'],
    },
  },
  {
    kind: 'function',
    name: 'broken',
    parameters: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
  },
  { kind: 'function', name: 'map', parameters: { type: 'object', additionalProperties: { type: 'string' } } },
  { kind: 'function', name: 'bare' },
  { kind: 'foreign', protocol: 'anthropic', name: 'web_search', value: { type: 'web_search_20250305' } },
];

describe('the tools of one call', () => {
  test('one that does not fit is left out with a reason and the others work', () => {
    const { tools, omitted, losses } = projectTools(TOOLS, 'openai-strict');
    expect(tools.map(({ name }) => name)).toEqual(['search', 'map', 'bare', 'web_search']);
    expect(omitted).toEqual([{ name: 'broken', reason: 'a reference leads nowhere in this schema' }]);
    expect(losses.map(({ path }) => path)).toContain('/tools/1/parameters/properties/a');
  });

  test('strict is said tool by tool', () => {
    const { tools } = projectTools(TOOLS, 'openai-strict');
    expect(tools.map((tool) => (tool.kind === 'function' ? tool.strict : 'foreign'))).toEqual([
      true,
      false,
      undefined,
      'foreign',
    ]);
    expect(projectTools(TOOLS, 'openai').tools[0]).not.toHaveProperty('strict');
  });

  test('argument text is restored where it has to be and else is the very text', () => {
    const { restoreArguments } = projectTools(TOOLS, 'openai-strict');
    expect(restoreArguments('search', '{"q":"x","limit":null}')).toBe('{"q":"x"}');
    for (const text of ['{ "q": "x",  "limit": 3.0 }', '{"q":"x","q":null}', '{"q":', '', '[]', '"x"']) {
      expect(restoreArguments('search', text)).toBe(text);
    }
    expect(restoreArguments('unknown', '{"limit":null}')).toBe('{"limit":null}');
    expect(restoreArguments('bare', '{"limit":null}')).toBe('{"limit":null}');
  });

  test('the list as given is not changed', () => {
    const before = structuredClone(TOOLS);
    projectTools(TOOLS, 'gemini');
    expect(TOOLS).toEqual(before);
  });
});
