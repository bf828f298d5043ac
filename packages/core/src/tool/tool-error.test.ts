import { expect, test } from 'vitest';
import { ToolError } from './tool-error.ts';

test('the published text is what the author gave, whatever happens to the message', () => {
  const error = new ToolError('No window is scheduled.');
  error.message = 'postgres://app:pw@db.internal';
  expect(error.text).toBe('No window is scheduled.');
});

test('the text cannot be replaced', () => {
  const error = new ToolError('a');
  expect(() => Object.assign(error, { text: 'b' })).toThrow(TypeError);
  expect(error.text).toBe('a');
});

test.each([
  ['nothing', undefined],
  ['an error', new Error('secret')],
])('%s cannot be published', (_, text) => {
  expect(() => new ToolError(text as unknown as string)).toThrow(
    expect.objectContaining({ code: 'tool/options-invalid' }),
  );
});

test('a subclass and an error of a second copy are recognised', () => {
  class Mine extends ToolError {}
  const other = Object.defineProperty(new Error('x'), Symbol.for('@toolgate/core/thrown'), {
    value: 'tool-error',
  });
  expect(ToolError.is(new Mine('x'))).toBe(true);
  expect(ToolError.is(other)).toBe(true);
});

test.each([
  [
    'an error of another library with the same name',
    Object.assign(new Error('x'), { name: 'ToolError', text: 'x' }),
  ],
  ['data that a server sent', JSON.parse('{"name":"ToolError","code":"tool/error","text":"x"}')],
  ['nothing', undefined],
  [
    'a proxy that throws',
    new Proxy(new Error('no'), {
      get: () => {
        throw new Error('trap');
      },
    }),
  ],
])('%s publishes nothing', (_, value) => {
  expect(ToolError.is(value)).toBe(false);
});
