import { expect, test } from 'vitest';
import { completionTool } from '../completion/completion-tool.ts';
import { createProviderSlot } from './provider-slot.ts';

const provider = completionTool();
const other = { ...completionTool(), id: () => 'other' };
const broken = {
  ...provider,
  id: (): string => {
    throw new Error('no id');
  },
};
const invalid = expect.objectContaining({ code: 'control/provider-invalid' });

test('there is one provider or none', () => {
  expect(createProviderSlot().current).toBeUndefined();
  expect(createProviderSlot([provider]).current?.id).toBe('toolgate.completion');
  expect(() => createProviderSlot([provider, other])).toThrow(invalid);
});

test('the next generation takes the place of the last one, also with nothing', () => {
  const slot = createProviderSlot([provider]);
  const before = slot.current;
  slot.replace([other]);
  expect([before?.id, slot.current?.id]).toEqual(['toolgate.completion', 'other']);
  slot.replace([]);
  expect(slot.current).toBeUndefined();
});

test.each([
  ['a second provider', [provider, other]],
  ['one that throws', [broken]],
])('%s is refused, and the last good generation stays', (_, providers) => {
  const slot = createProviderSlot([provider]);
  const { current } = slot;
  expect(() => slot.replace(providers)).toThrow(invalid);
  expect(slot.current).toBe(current);
});
