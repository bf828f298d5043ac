import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall } from '../call/model-call.ts';
import { codecOf } from './codecs.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const SAMPLING = { temperature: 0.2, topP: 0.95, frequencyPenalty: 1, presencePenalty: 1, stop: ['x'] };

function encode(protocol: 'openai-chat' | 'openai-responses', call: Partial<ModelCall>) {
  const { value, losses } = codecOf(protocol).encodeRequest({ model: 'm', items: [USER], ...call });
  const { temperature, top_p, frequency_penalty, presence_penalty, stop } = value.body;
  const members = { temperature, top_p, frequency_penalty, presence_penalty, stop };
  return {
    members: Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)),
    lost: losses
      .filter(({ path }) => path.startsWith('/sampling/'))
      .map(({ path, severity }) => `${path.slice(10)} ${severity}`),
  };
}

describe.each(['openai-chat', 'openai-responses'] as const)('a request of %s', (protocol) => {
  test.each([
    'o3',
    'openai/o4-mini',
    'gpt-5',
    'gpt-5-mini-2025-08-07',
    'openai/gpt-5.2-pro',
    'gpt-5.1-chat-latest',
    'gpt-5.3-codex',
    'gpt-5.5',
    'gpt-6-sol',
  ])('has no setting that %s refuses', (model) => {
    const { members, lost } = encode(protocol, { model, sampling: SAMPLING });
    expect(members).toEqual({});
    expect(lost.toSorted()).toEqual([
      'frequencyPenalty warning',
      'presencePenalty warning',
      'stop warning',
      'temperature warning',
      'topP warning',
    ]);
  });

  test.each([
    'gpt-4o',
    'gpt-35-turbo',
    'gpt-5-chat-latest',
    'gpt-5.1',
    'gpt-5.4-mini-2026-03-17',
    'gpt-oss-120b',
    'openai/gpt-4.1',
    'proto1-mini',
    'm',
  ])('has the settings that %s takes', (model) => {
    const { members } = encode(protocol, { model, sampling: { temperature: 0.2, topP: 0.95 } });
    expect(members).toEqual({ temperature: 0.2, top_p: 0.95 });
  });

  test('has them where a model is told not to think, and can be', () => {
    const told: Partial<ModelCall> = { sampling: { temperature: 0.2 }, reasoning: { effort: 'none' } };
    expect(encode(protocol, { ...told, model: 'gpt-5.4' }).members).toEqual({ temperature: 0.2 });
    expect(encode(protocol, { ...told, model: 'gpt-5' }).members).toEqual({});
    expect(encode(protocol, { ...told, model: 'gpt-6-luna' }).members).toEqual({});
  });

  test('has none where a model that mostly does not think is told to', () => {
    const told: Partial<ModelCall> = { sampling: { temperature: 0.2 }, reasoning: { effort: 'low' } };
    expect(encode(protocol, { ...told, model: 'gpt-5.2' }).members).toEqual({});
  });

  test('loses nothing that the model has anyway', () => {
    const { members, lost } = encode(protocol, { model: 'gpt-5', sampling: { temperature: 1, topP: 1 } });
    expect([members, lost]).toEqual([{}, ['temperature info', 'topP info']]);
  });
});
