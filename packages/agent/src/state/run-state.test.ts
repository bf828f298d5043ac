import { createGate, createScope, defineTool } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentConfig } from '../agent-config.ts';
import { createAgent } from '../create-agent.ts';
import { newLoopState } from './loop-state.ts';
import { createStateSeal, type RunState } from './run-state.ts';

const stateKey = 'k'.repeat(32);
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object' } as const,
  execute: () => 'paid',
});
const gate = createGate({ tools: [pay], scope: createScope({ approve: () => 'defer' }) });

function agentWith(options: Partial<AgentConfig> = {}) {
  const model = createScriptedModel({
    turns: [{ text: 'secret plan', calls: [{ name: 'pay' }] }, { text: 'Done.' }],
  });
  return createAgent({ model, gate, stateKey, ...options });
}

async function stateOf(agent = agentWith()): Promise<RunState> {
  const { state } = await agent.run('go');
  if (state === undefined) throw new Error('a suspended run has a state');
  return JSON.parse(JSON.stringify(state));
}

test('a state is plain JSON with its context, tools and keys left out', async () => {
  const agent = agentWith();
  const { state } = await agent.run('go', { context: { password: 'hunter2', connect: () => undefined } });
  const text = JSON.stringify(state);
  expect(JSON.parse(text)).toEqual(state);
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain(stateKey);
});

describe('a state that was changed is refused, whatever was changed', () => {
  test.each<[string, (state: RunState) => unknown]>([
    [
      'the body',
      (state) => ({
        ...state,
        body: state.body.replace('"arguments":""', '"arguments":"{}"').replace('pay', 'bay'),
      }),
    ],
    ['the run', (state) => ({ ...state, runId: 'other' })],
    [
      'the signature',
      (state) => ({
        ...state,
        signature: state.signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      }),
    ],
    ['no signature', (state) => ({ ...state, signature: '' })],
    ['a longer signature', (state) => ({ ...state, signature: `${state.signature}0` })],
    ['one member more', (state) => ({ ...state, admin: true })],
    ['one member less', (state) => JSON.parse(JSON.stringify({ ...state, body: undefined }))],
    ['a body that is no text', (state) => ({ ...state, body: { open: [] } })],
    ['another format', (state) => ({ ...state, format: 'other' })],
    ['nothing', () => undefined],
    ['null', () => null],
    ['a list', () => []],
    ['a text', (state) => JSON.stringify(state)],
  ])('%s', async (_, change) => {
    const state = await stateOf();
    await expect(agentWith().resume(change(state) as RunState, [])).rejects.toMatchObject({
      code: 'agent/state-invalid',
    });
  });

  test('any one character of any text of it', async () => {
    const state = await stateOf();
    const seal = createStateSeal(stateKey, undefined);
    expect(seal.open(state)).toMatchObject({ turns: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom('body', 'runId', 'signature'),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (name, at, by) => {
          const text = state[name as 'body'];
          const place = at % text.length;
          fc.pre(text[place] !== by);
          const changed = { ...state, [name]: text.slice(0, place) + by + text.slice(place + 1) };
          expect(() => seal.open(changed)).toThrow(expect.objectContaining({ code: 'agent/state-invalid' }));
        },
      ),
    );
  });
});

test.each([
  ['another version', (state: RunState) => ({ ...state, version: 2 }), {}],
  [
    'an encryption that the agent does not have',
    (state: RunState) => state,
    { cipher: { encrypt: String, decrypt: String } },
  ],
])("%s is another agent's state", async (_, change, options) => {
  const state = await stateOf();
  await expect(agentWith(options).resume(change(state), [])).rejects.toMatchObject({
    code: 'agent/state-foreign',
  });
});

test('another key does not open a state, and without a key of its own only the same agent does', async () => {
  const state = await stateOf();
  await expect(agentWith({ stateKey: 'j'.repeat(32) }).resume(state, [])).rejects.toMatchObject({
    code: 'agent/state-invalid',
  });
  const model = createScriptedModel({ turns: [{ calls: [{ name: 'pay' }] }] });
  const alone = createAgent({ model, gate });
  const own = await stateOf(alone);
  expect((await alone.resume(own, [])).stopReason).toBe('suspended');
  await expect(agentWith().resume(own, [])).rejects.toMatchObject({ code: 'agent/state-invalid' });
});

test('a cipher keeps the conversation from whoever can read the store', async () => {
  const cipher = {
    encrypt: (text: string) => Buffer.from(text).toString('base64'),
    decrypt: (text: string) => Buffer.from(text, 'base64').toString(),
  };
  const agent = agentWith({ cipher });
  const state = await stateOf(agent);
  expect(JSON.stringify(state)).not.toContain('secret plan');
  expect((await agentWith({ cipher }).resume(state, [])).stopReason).toBe('suspended');
});

test('a cipher that throws is a state that cannot be read', async () => {
  const encrypt = (text: string) => text;
  const state = await stateOf(agentWith({ cipher: { encrypt, decrypt: encrypt } }));
  const decrypt = (): never => {
    throw new Error('wrong key');
  };
  await expect(agentWith({ cipher: { encrypt, decrypt } }).resume(state, [])).rejects.toMatchObject({
    code: 'agent/state-invalid',
  });
});

test('a short key is refused', () => {
  expect(() => agentWith({ stateKey: 'short' })).toThrow(
    expect.objectContaining({ code: 'agent/options-invalid' }),
  );
});

test('what was sealed comes back equal, with whatever a provider put in', () => {
  const seal = createStateSeal(stateKey, undefined);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
      fc.string({ unit: 'grapheme' }),
      (text, value, principal) => {
        const items = [
          { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: `${text}\ud800\uffff` }] },
          { kind: 'foreign', protocol: 'anthropic', role: 'assistant', value: value as never },
        ] as const;
        const state = { ...newLoopState('r', principal, items), advertised: {} };
        const stored = JSON.parse(JSON.stringify(seal.seal(state)));
        expect(seal.open(stored)).toEqual(JSON.parse(JSON.stringify(state)));
      },
    ),
  );
});
