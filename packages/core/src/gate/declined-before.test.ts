import { expect, test } from 'vitest';
import type { ApprovalRequest } from '../policy/approval.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { createGate } from './create-gate.ts';
import type { DeclinedCall } from './open-options.ts';

/** A gate that asks somebody about each call, and remembers what about. */
function asking(description = 'Pays.') {
  const asked: ApprovalRequest[] = [];
  const properties = { amount: { type: 'integer' }, note: { type: 'string', default: 'none' } } as const;
  const pay = defineTool({
    name: 'pay',
    description,
    profile: { class: 'write' },
    input: { type: 'object', properties, required: ['amount'] } as const,
    execute: ({ amount }) => `paid ${amount}`,
  });
  const scope = createScope({
    approve: (request) => {
      asked.push(request);
      return 'defer';
    },
  });
  return { asked, gate: createGate({ tools: [pay], scope }) };
}

const call = (text: string) => ({ id: 'c', name: 'pay', arguments: text });

test('a call that was declined in an earlier session of the run is not asked about, however it is written', async () => {
  const { asked, gate } = asking();
  const before = await gate.open({ context: {} });
  await before.execute(call('{"amount":5}'));
  const declined = JSON.parse(JSON.stringify(asked)) as readonly DeclinedCall[];
  const session = await gate.open({ context: {}, declined });
  for (const text of ['{"amount":5}', '{"note":"none","amount":5.0}']) {
    expect((await session.execute(call(text))).reason).toBe('approval_declined');
  }
  expect(asked).toHaveLength(1);
  expect((await session.execute(call('{"amount":6}'))).reason).toBe('approval_pending');
  const [request] = asked;
  const changed = await asking('Pays at once.').gate.open({
    context: {},
    ...(request && { declined: [request] }),
  });
  expect((await changed.execute(call('{"amount":5}'))).reason).toBe('approval_pending');
});

test.each([
  ['no list', { contractDigest: 'x', argumentsDigest: 'x' }],
  ['nothing', [undefined]],
  ['null', [null]],
  ['a text', ['sha256:1']],
  ['one digest alone', [{ contractDigest: `sha256:${'0'.repeat(64)}` }]],
  ['what is no digest', [{ contractDigest: `sha256:${'0'.repeat(64)}`, argumentsDigest: 'x' }]],
])('what was declined is refused where it is %s, for it would be asked about again', async (_, declined) => {
  const opened = asking().gate.open({ context: {}, declined: declined as readonly DeclinedCall[] });
  await expect(opened).rejects.toMatchObject({ code: 'gate/options-invalid' });
});
