import { createGate, defineTool, type ExecutionClass, type ToolAnnotations } from '@toolgate/core';
import { expect, test } from 'vitest';
import { toolAnnotations } from './tool-annotations.ts';

function hintsOf(
  executionClass: ExecutionClass | undefined,
  annotations?: ToolAnnotations,
  idempotent = false,
) {
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    ...(annotations === undefined ? {} : { annotations }),
    ...(executionClass === undefined ? {} : { profile: { class: executionClass, idempotent } }),
    execute: () => '',
  });
  const [known] = createGate({ tools: [tool] }).tools;
  return known === undefined ? undefined : toolAnnotations(known);
}

test.each([
  ['read', { readOnlyHint: true, openWorldHint: false }],
  ['write', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false }],
  ['external', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  [
    'unclassified',
    { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  ],
  [undefined, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
] as const)('a tool of class %s says so in hints', (executionClass, hints) => {
  expect(hintsOf(executionClass)).toEqual(hints);
});

test('what the author claims never promises more than the profile', () => {
  const claims = { title: 'Shown', readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  expect(hintsOf('write', claims)).toEqual({
    title: 'Shown',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
  expect(hintsOf('external', { openWorldHint: false })).toMatchObject({ openWorldHint: true });
  expect(hintsOf('read', { readOnlyHint: false, openWorldHint: true })).toEqual({
    readOnlyHint: true,
    openWorldHint: true,
  });
});

test('a tool that may be repeated says so', () => {
  expect(hintsOf('write', undefined, true)).toMatchObject({ idempotentHint: true });
});
