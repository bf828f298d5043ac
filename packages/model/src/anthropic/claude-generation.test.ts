import { expect, test } from 'vitest';
import { alwaysThinks, effortsOf, isSelfSteered } from './claude-generation.ts';

test.each([
  ['claude-opus-4-7', true, false],
  ['claude-opus-4-8-20260528', true, false],
  ['anthropic/claude-4.7-opus', true, false],
  ['us.anthropic.claude-opus-4-7-v1:0', true, false],
  ['claude-sonnet-5', true, false],
  ['claude-sonnet-5-20260630', true, false],
  ['claude-opus-5', true, false],
  ['claude-opus-5-5', true, true],
  ['claude-fable-5', true, true],
  ['claude-mythos-5', true, true],
  ['claude-mythos-preview', true, true],
  ['claude-sonnet-5-5', true, true],
  ['claude-haiku-5-5', true, false],
  ['anthropic/claude-haiku-5.5', true, false],
  ['claude-opus-4-6', false, false],
  ['claude-sonnet-4-5-20250929', false, false],
  ['claude-opus-4-20250514', false, false],
  ['claude-3-7-sonnet-20250219', false, false],
  ['claude-haiku-4-5@20251001', false, false],
  ['claude-2.1', false, false],
  ['claude-latest', false, false],
  ['m', false, false],
])('%s steers itself: %j; always thinks: %j', (model, steered, thinks) => {
  expect([isSelfSteered(model), alwaysThinks(model)]).toEqual([steered, thinks]);
});

test.each([
  ['claude-sonnet-4-5-20250929', undefined],
  ['claude-haiku-4-5', undefined],
  ['claude-opus-4-1-20250805', undefined],
  ['claude-opus-4-5-20251101', 'high'],
  ['claude-sonnet-4-6', 'max'],
  ['claude-opus-4-8', 'max'],
  ['claude-opus-5', 'max'],
  ['m', 'max'],
])('the most effort of %s is %j', (model, most) => {
  expect(effortsOf(model).at(-1)).toBe(most);
});
