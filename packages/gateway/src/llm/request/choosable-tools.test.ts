import { openaiResponses } from '@toolgate/model';
import { expect, test } from 'vitest';
import { choosableTools } from './choosable-tools.ts';
import { offerTools, withLoaded } from './offered-tools.ts';

const MANY = 20_000;
const NAMESPACES = Array.from({ length: MANY }, (_, index) => ({
  type: 'namespace',
  name: `n${index}`,
  tools: [{ type: 'function', name: 'x' }],
}));

test('a name that thousands of namespaces have, and a choice says thousands of times, takes no time', () => {
  const tools = NAMESPACES.map(() => ({ type: 'function', name: 'x' }));
  const body = {
    model: 'm',
    input: 'a',
    tools: NAMESPACES,
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
  };
  const { value: call } = openaiResponses.decodeRequest(body);
  const offered = offerTools(call, (name) => name !== 'n3__x');
  const client = { body: Buffer.from(JSON.stringify(body)), outline: undefined };
  const choosable = choosableTools(call.toolChoice, offered, client);
  expect(choosable).toHaveProperty('size', MANY - 1);
});

test('neither do tools of one name that a conversation loads one after the other', () => {
  const input = NAMESPACES.map((tool) => ({ type: 'additional_tools', role: 'developer', tools: [tool] }));
  const { value: call } = openaiResponses.decodeRequest({ model: 'm', input });
  const { names } = withLoaded(
    offerTools(call, () => true),
    call,
    () => true,
  );
  expect(names.byName.get('x')).toHaveLength(MANY);
});
