import { createGate, createScope, defineTool, type Tool } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';

/** An agent that calls a tool once, under a gate of its own. */
function asking(tool: Tool, scope = createScope()) {
  const model = createScriptedModel({
    turns: [{ calls: [{ name: tool.definition().name }] }, { text: 'Said inside.' }],
  });
  return createAgent({ model, gate: createGate({ tools: [tool], scope }) });
}

/** A tool that hands its question to another agent. */
const asks = (inner: ReturnType<typeof asking>) =>
  defineTool({
    name: 'ask',
    description: 'Asks somebody else.',
    profile: { class: 'read' },
    input: { type: 'object' },
    execute: async (_input, { signal }) => {
      const { stopReason, text } = await inner.run('go', { context: undefined, signal });
      return stopReason === 'answer' ? text : stopReason;
    },
  });

test('an agent within a tool ends with the call, and what it runs is told', async () => {
  const controller = new AbortController();
  let told = false;
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    input: { type: 'object' },
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = true;
          reject(signal.reason);
        });
        controller.abort();
      }),
  });
  const outer = asking(asks(asking(slow)));
  const result = await outer.run('go', { context: undefined, signal: controller.signal });
  expect([told, result.stopReason]).toEqual([true, 'cancelled']);
  expect(result.outcomes).toHaveLength(1);
});

test('an agent within a tool can wait for its approver while the outer call waits', async () => {
  let ran = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'external' },
    input: { type: 'object' },
    execute: () => {
      ran += 1;
      return 'paid';
    },
  });
  const scope = createScope({
    approve: async () => {
      await Promise.resolve();
      expect(ran).toBe(0);
      return 'allow' as const;
    },
  });
  const result = await asking(asks(asking(pay, scope))).run('go');
  expect([ran, result.stopReason]).toEqual([1, 'answer']);
  expect(result.outcomes[0]?.parts).toEqual([{ kind: 'text', text: 'Said inside.' }]);
});
