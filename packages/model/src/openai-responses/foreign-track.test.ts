import { describe, expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import { openaiResponses } from './openai-responses.ts';

const response = { id: 'r', object: 'response', model: 'm', status: 'completed' };
const call = {
  type: 'custom_tool_call',
  id: 'ct',
  call_id: 'c',
  name: 'exec',
  input: 'ls',
  status: 'completed',
};
const place = { output_index: 0, item_id: 'ct' };

/** How a call is said besides its final form. */
interface Said {
  readonly early?: string;
  readonly pieces?: readonly string[];
  readonly whole?: string;
  readonly late?: string;
  readonly last?: object;
}

/** How an answer ends in which a call is said so. */
function ending(
  item: object,
  { early = '', pieces = [], whole, late, last = item }: Said = {},
): object | undefined {
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, input: early } },
    ...pieces.map((delta) => ({ type: 'response.custom_tool_call_input.delta', ...place, delta })),
    ...(whole === undefined
      ? []
      : [{ type: 'response.custom_tool_call_input.done', ...place, input: whole }]),
    { type: 'response.output_item.done', output_index: 0, item },
    ...(late === undefined ? [] : [{ type: 'response.custom_tool_call_input.done', ...place, input: late }]),
    { type: 'response.completed', response: { ...response, output: [last] } },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return decodeText(openaiResponses, text).at(-1);
}

const differs = { kind: 'response-error', code: 'model/stream-invalid' };

describe('a call that only this wire has words for', () => {
  test.each<[string, Parameters<typeof ending>]>([
    ['in its pieces', [call, { pieces: ['l', 's'], whole: 'ls' }]],
    ['where it is announced', [call, { early: 'ls' }]],
    ['behind it', [call, { late: 'ls' }]],
    ['with another standing at the end', [call, { last: { ...call, id: 'other', status: null } }]],
    ['in another order at the end', [call, { last: Object.fromEntries(Object.entries(call).reverse()) }]],
    ['with less at the end', [call, { last: { type: 'custom_tool_call', id: 'ct' } }]],
    [
      'with a structure',
      [
        { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['ls'], limit: 1 } },
        { last: { type: 'shell_call', id: 'sh', call_id: 'c', action: { limit: 1, commands: ['ls'] } } },
      ],
    ],
  ])('is understood when it says the same %s', (_name, said) => {
    expect(ending(...said)).toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
  });

  test.each<[string, Parameters<typeof ending>]>([
    ['in its pieces', [call, { pieces: ['rm'] }]],
    ['where its input is done', [call, { whole: 'rm' }]],
    ['where it is announced', [call, { early: 'rm' }]],
    ['behind it', [call, { late: 'rm' }]],
    ['in its input at the end', [call, { last: { ...call, input: 'rm' } }]],
    ['in its name at the end', [call, { last: { ...call, name: 'erase' } }]],
    ['in a namespace at the end', [call, { last: { ...call, namespace: 'admin' } }]],
    [
      'in its structure at the end',
      [
        { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['ls'] } },
        { last: { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['rm'] } } },
      ],
    ],
  ])('fails the answer when it says something else %s', (_name, said) => {
    expect(ending(...said)).toMatchObject(differs);
  });
});

test('a piece behind a call is not passed on', () => {
  const decoder = openaiResponses.decodeStream();
  const misleading = [
    { type: 'response.output_item.done', output_index: 0, item: call },
    { type: 'response.custom_tool_call_input.delta', ...place, delta: '; rm' },
    { type: 'response.completed', response: { ...response, output: [call] } },
  ].map((event) => {
    decoder.push(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
    return decoder.misleads?.();
  });
  expect(misleading).toEqual([false, true, false]);
});

test('what ran at the provider may say more at the end', () => {
  const search = { type: 'web_search_call', id: 'ws', status: 'completed' };
  expect(ending(search, { last: { ...search, action: { query: 'x' } } })).toMatchObject({
    kind: 'response-end',
  });
});

test('what a call came to bears its id and is another item', () => {
  const shell = { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['ls'] } };
  const output = { type: 'shell_call_output', id: 'so', call_id: 'c', output: [] };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...[shell, output].flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response, output: [shell, output] } },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const told = decodeText(openaiResponses, text);
  expect(told.flatMap((event) => (event.kind === 'foreign' ? [event.item.value] : []))).toEqual([
    shell,
    output,
  ]);
  expect(told.at(-1)).toMatchObject({ kind: 'response-end' });
});
