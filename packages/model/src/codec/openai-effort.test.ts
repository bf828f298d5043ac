import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelCall } from '../call/model-call.ts';
import { codecOf } from './codecs.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };

function asked(model: string, reasoning: ModelCall['reasoning']) {
  const call: ModelCall = { model, items: [USER], ...(reasoning === undefined ? {} : { reasoning }) };
  const chat = codecOf('openai-chat').encodeRequest(call);
  const responses = codecOf('openai-responses').encodeRequest(call);
  return {
    chat: chat.value.body['reasoning_effort'],
    responses: responses.value.body['reasoning'],
    include: responses.value.body['include'],
    lost: chat.losses
      .filter(({ path }) => path.startsWith('/reasoning'))
      .map(({ code, path, severity }) => `${code} ${path} ${severity}`),
  };
}

describe('the effort', () => {
  test.each([
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5-mini-2025-08-07', 'max', 'high'],
    ['gpt-5-codex', 'minimal', 'low'],
    ['gpt-5-pro', 'low', 'high'],
    ['gpt-5.1', 'minimal', 'low'],
    ['gpt-5.1', 'xhigh', 'high'],
    ['gpt-5.1-codex', 'none', 'low'],
    ['gpt-5.1-codex-max', 'max', 'xhigh'],
    ['openai/gpt-5.2', 'max', 'xhigh'],
    ['gpt-5.2-pro', 'none', 'medium'],
    ['gpt-6-astra', 'none', 'low'],
    ['o3', 'none', 'low'],
    ['o4-mini', 'xhigh', 'high'],
  ])('for %s is not %s, which it refuses, but %s', (model, effort, fitted) => {
    const { chat, responses, lost } = asked(model, { effort });
    expect([chat, responses]).toEqual([fitted, { effort: fitted }]);
    expect(lost).toEqual([`approximated /reasoning/effort ${effort === 'none' ? 'warning' : 'info'}`]);
  });

  test.each([
    ['gpt-5', 'minimal'],
    ['gpt-5.1', 'none'],
    ['gpt-5.4-mini', 'xhigh'],
    ['gpt-5.6', 'max'],
    ['gpt-6-sol', 'none'],
    ['o3', 'high'],
    ['deepseek-v4', 'max'],
    ['gpt-oss-120b', 'xhigh'],
    ['gpt-35-turbo', 'xhigh'],
    ['gpt-5', 'of-tomorrow'],
  ])('for %s stays %s', (model, effort) => {
    const { chat, responses, lost } = asked(model, { effort });
    expect([chat, responses, lost]).toEqual([effort, { effort }, []]);
  });

  test.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-3.5-turbo', 'gpt-5-chat-latest', 'gpt-5.2-chat-latest'])(
    'is none for %s, and nothing else of thinking is asked',
    (model) => {
      expect(asked(model, { effort: 'high', summary: 'auto' })).toEqual({
        chat: undefined,
        responses: undefined,
        include: undefined,
        lost: ['dropped /reasoning warning'],
      });
      expect(asked(model, { effort: 'none' }).lost).toEqual(['dropped /reasoning info']);
    },
  );
});
