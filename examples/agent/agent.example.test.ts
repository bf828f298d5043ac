import { expect, test } from 'vitest';
import { asked } from './cancel-call.example.ts';
import { result } from './durable.example.ts';
import { hosted, local } from './real-models.example.ts';
import { done, waiting } from './run.example.ts';
import { said } from './stream.example.ts';

test('a run looks, waits for a decision, and goes on with it', () => {
  expect(waiting).toMatchObject({
    stopReason: 'suspended',
    pending: [{ tool: 'move_window', principal: 'ada', arguments: { service: 'checkout' } }],
    outcomes: [{ name: 'find_window', reason: 'completed' }],
  });
  expect(done).toMatchObject({
    stopReason: 'answer',
    text: 'Checkout is taken down on 2 December at 2:00 UTC.',
    outcomes: [{ name: 'find_window' }, { name: 'move_window', reason: 'completed' }],
  });
});

test('a stream tells what happens, and ends with the reason', () => {
  expect(said).toBe('[find_window: tool_error]You have no service of that name.[answer]');
});

test('a call that is stopped is not the end of its run: the model is asked again', () => {
  expect(asked).toBe(2);
});

test('a durable run ends with the same kind of result', () => {
  expect(result).toMatchObject({ stopReason: 'answer', text: 'Moved.' });
});

test('models that are reached over HTTP take tools and stream', () => {
  for (const model of [hosted, local]) expect([...model.capabilities].sort()).toEqual(['streaming', 'tools']);
});
