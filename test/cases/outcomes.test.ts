import {
  CallError,
  createGate,
  defineTool,
  type ExecutionClass,
  Failure,
  type GateEvent,
  REASONS,
  ToolError,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';

const classes: readonly ExecutionClass[] = ['unclassified', 'read', 'write', 'external'];
const throws: readonly (readonly [string, () => unknown])[] = [
  ['an ordinary error', () => new Error('connection reset')],
  ['a published text', () => new ToolError('Try again later.')],
  ['a stated failure', () => new Failure({ kind: 'failed', output: 'busy', cause: 1 })],
  ['evidence', () => new CallError({ cause: 1, evidence: 'sent' })],
];

describe('an effect', () => {
  test.each(classes.flatMap((word) => throws.map(([name, make]) => [word, name, make] as const)))(
    'of a tool of class %s is not repeated by the gate after %s',
    async (word, _, make) => {
      let runs = 0;
      const tool = defineTool({
        name: 'send_email',
        description: '',
        input: { type: 'object' },
        profile: { class: word },
        execute: () => {
          runs += 1;
          throw make();
        },
      });
      const session = await createGate({ tools: [tool] }).open();
      await session.executeAll([{ id: 'c', name: 'send_email', arguments: '' }]);
      await session.close();
      expect(runs).toBe(1);
    },
  );

  test('that was acknowledged is on the record before its slower sibling has ended', async () => {
    const ends: string[] = [];
    const observe = (event: GateEvent): void => {
      if (event.kind === 'call-end') ends.push(`${event.callId} ${event.outcome}`);
    };
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const declare = (name: string, execute: () => unknown) =>
      defineTool({ name, description: '', input: { type: 'object' }, profile: { class: 'read' }, execute });
    const tools = [
      declare('claim_fees', () => ({ tx: '0xabc' })),
      declare('get_price', async () => {
        await released;
        throw new Error('no price');
      }),
    ];
    const session = await createGate({ tools, observe }).open();
    const turn = session.executeAll([
      { id: 'claim', name: 'claim_fees', arguments: '' },
      { id: 'price', name: 'get_price', arguments: '' },
    ]);
    await Promise.resolve();
    expect(ends).toEqual(['claim completed']);
    release();
    expect((await turn).map(({ kind }) => kind)).toEqual(['completed', 'failed']);
    await session.close();
  });

  test('that nobody knows is called unknown in the words for the model, and never a failure', () => {
    for (const [reason, entry] of Object.entries(REASONS)) {
      if (entry.kind !== 'unknown' || !('text' in entry)) continue;
      expect(`${reason}: ${entry.text}`).toMatch(/effects are unknown/);
    }
  });
});
