import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test-support/ask-raw.ts';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { turnEvents } from '../../../test-support/wire-samples.ts';

const read = { type: 'function', name: 'read', parameters: { type: 'object', required: ['path'] } };
const tools = [
  { type: 'namespace', name: 'mcp__x__', description: '', tools: [read] },
  { type: 'namespace', name: 'notes', description: '', tools: [read, { ...read, name: 'list' }] },
  { ...read, name: 'wait' },
];
const named = (name: string, namespace?: string) => ({
  type: 'function',
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const some = (mode: string, ...list: readonly object[]) => ({ type: 'allowed_tools', mode, tools: list });

/** The choice of the second request, which tells the model of a refused call. */
async function again(tool_choice: object, deny: readonly string[] = []): Promise<unknown> {
  const protocol = 'openai-responses';
  const firewall = testFirewall({ onRefusal: 'feedback' });
  const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall }];
  const asked = {
    surface: protocol,
    backend: protocol,
    stream: true,
    setup: { routes, grants: { deny } },
    bodies: [JSON.stringify({ model: 'm', stream: true, input: 'x', tools, tool_choice })],
    turns: [turnEvents([{ id: 'c1', name: 'none', arguments: '{}' }]), turnEvents([])],
  } as const;
  return exchange(asked, ({ sent }) => {
    expect(sent).toHaveLength(2);
    return sent[1]?.['tool_choice'];
  });
}

describe('a choice that is written anew for a provider of Responses', () => {
  test.each<[string, object]>([
    ['of one function', named('list', 'notes')],
    ['of one whose name another namespace has', named('read', 'mcp__x__')],
    ['of one in no namespace', named('wait')],
    ['by a name that two have', named('read')],
    ['among some', some('auto', named('read', 'notes'), named('wait'))],
    ['of some', some('required', named('read', 'mcp__x__'), named('list', 'notes'))],
  ])('keeps its namespaces: %s', async (_name, choice) => {
    expect(await again(choice)).toEqual(choice);
  });

  test('names the namespaces of what may pass, and no other', async () => {
    expect(await again(some('auto', named('read'), named('wait')), ['mcp__x__read', 'wait'])).toEqual(
      some('auto', named('read', 'notes')),
    );
  });
});
