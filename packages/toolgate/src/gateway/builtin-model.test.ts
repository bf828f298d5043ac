import type { ModelCall } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { answerOf } from './builtin-model.ts';

const asked = (text: string, more: Partial<ModelCall> = {}): ModelCall =>
  ({
    model: 'm',
    items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text }] }],
    ...more,
  }) as ModelCall;
const answer = (call: ModelCall) => answerOf(call, () => 'call_1');

describe('the built-in model', () => {
  test('proposes the call that it is told to, as it is told', () => {
    expect(answer(asked(' call send_mail {"to": "a"}\n')).calls).toEqual([
      { id: 'call_1', name: 'send_mail', arguments: '{"to": "a"}' },
    ]);
  });

  test.each(['{"to": "a",  "to": "b"}', '{to: 1}'])('leaves it to the gateway to refuse %s', (text) => {
    expect(answer(asked(`call send_mail ${text}`)).calls).toMatchObject([{ arguments: text }]);
  });

  test.each(['Hello', '', 'call x', 'call x [1]', 'call x {', 'please call x {}'])(
    'says how it is used to %j',
    (text) => {
      expect(answer(asked(text)).text).toContain('I am the built-in model.');
    },
  );

  test('repeats a result', () => {
    const items: ModelCall['items'] = [
      { kind: 'tool-result', callId: 'c', parts: [{ kind: 'text', text: '5' }] },
    ];
    expect(answer(asked('', { items })).text).toBe('The tool said: 5');
  });

  test('ends through a completion tool where it is offered one', () => {
    const call = asked('Hello', { tools: [{ kind: 'function', name: 'attempt_completion' }] });
    expect(answer(call).calls).toMatchObject([{ name: 'attempt_completion' }]);
  });
});
