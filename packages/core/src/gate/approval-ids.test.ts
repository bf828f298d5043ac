import { expect, test } from 'vitest';
import { createScope, type Scope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { createGate } from './create-gate.ts';

/** A session that asks for a yes, and what came of its calls. */
async function open(ids: () => string, scope: Scope) {
  const ran: unknown[] = [];
  const decisions: unknown[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    profile: { class: 'write' },
    input: { type: 'object' },
    execute: (input) => ran.push(input),
  });
  const gate = createGate({
    tools: [tool],
    scope,
    ids,
    observe: (event) => event.kind === 'decision' && decisions.push([event.step, event.verdict]),
  });
  return { ran, decisions, session: await gate.open() };
}

const call = (id: string) => ({ id, name: 't', arguments: '{}' });

test.each<[string, () => string, object]>([
  [
    'throws',
    () => {
      throw new Error('no id');
    },
    { cause: { message: 'no id' } },
  ],
  ['gives no text', () => '', {}],
  ['is async', (async () => 'id') as never, {}],
])('an id maker that %s where a yes is asked for ends the session with its error', async (_, make, why) => {
  let made = 0;
  const ids = (): string => (made++ === 0 ? 'session' : make());
  const { ran, decisions, session } = await open(ids, createScope({ approve: () => 'allow' }));
  const ended = { code: 'gate/options-invalid', message: 'ids gives a text each time.', callId: 'a', ...why };
  await expect(session.execute(call('a'))).rejects.toMatchObject({
    ...ended,
    outcomes: [{ reason: 'not_started' }],
  });
  await expect(session.executeAll([call('b')])).rejects.toMatchObject({
    code: 'gate/session-closed',
    cause: ended,
  });
  await session.close();
  expect([ran, decisions]).toEqual([[], [['approval', 'error']]]);
});

test('an id maker that fails when edited arguments are asked about again ends the session, too', async () => {
  const ids = ['session', 'first'];
  const edit = () => ({ decision: 'allow' as const, arguments: { n: 2 } });
  const scope = createScope({ approve: edit }).narrow({ approve: () => 'allow' });
  const { ran, session } = await open(() => ids.shift() ?? '', scope);
  await expect(session.execute(call('a'))).rejects.toMatchObject({ code: 'gate/options-invalid' });
  await session.close();
  expect([ran, ids]).toEqual([[], []]);
});
